package webdyno.quarkus.blog;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The static files of a folder, which Quarkus serves by a route of Vert.x. */
@ApplicationScoped
public class StaticFiles {
    // The folder is there in the scenarios `blog` and `static` only.
    @ConfigProperty(name = "webdyno.static")
    Optional<Path> folder;

    // In the cache of the handler, a file that is missing once stays missing.
    @ConfigProperty(name = "webdyno.static-cache")
    boolean cache;

    void mount(@Observes Router router) {
        folder.ifPresent(path -> router.route()
                .last()
                .handler(StaticHandler.create(FileSystemAccess.ROOT, path.toString())
                        .setCachingEnabled(cache)));
    }
}
