package webdyno.quarkus;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** GET /ws: a route of Vert.x, because Quarkus's own endpoints have Vert.x join the fragments. */
@ApplicationScoped
public class EchoRoute {
    private static final int UPGRADE_REQUIRED = 426;

    @ConfigProperty(name = "endpoint.websocket-echo")
    boolean enabled;

    void mount(@Observes Router router) {
        if (enabled) {
            router.get("/ws").handler(EchoRoute::upgrade);
        }
    }

    private static void upgrade(RoutingContext context) {
        if (!context.request().headers().contains(
                HttpHeaders.UPGRADE, HttpHeaders.WEBSOCKET, true)) {
            context.response()
                    .putHeader(HttpHeaders.UPGRADE, HttpHeaders.WEBSOCKET)
                    .setStatusCode(UPGRADE_REQUIRED)
                    .end();
            return;
        }
        // One that it does not grant, Vert.x answers itself.
        context.request().toWebSocket().onSuccess(Echo::serve);
    }
}
