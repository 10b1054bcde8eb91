package webdyno.quarkus.middleware;

import io.quarkus.vertx.http.runtime.filters.Filters;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** As many filters as every request is to pass: Quarkus's counterpart of a middleware. */
@ApplicationScoped
public class CountingFilters {
    private static final int PRIORITY = 100;

    // It is there in the scenario `middleware` only.
    @ConfigProperty(name = "webdyno.middleware")
    OptionalInt wanted;

    @Inject
    Counts counts;

    void register(@Observes Filters filters) {
        for (int number = wanted.orElse(0); number > 0; number--) {
            filters.register(
                    context -> {
                        counts.pass();
                        context.next();
                    },
                    PRIORITY);
        }
    }
}
