package webdyno.helidon;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.time.Duration;

/** Starts Helidon with the routes of the scenario that WEBDYNO_SCENARIO names. */
public final class Server {
    private Server() {}

    public static void main(String[] arguments) {
        int port = Integer.parseInt(Environment.required("PORT"));
        String scenario = Environment.required("WEBDYNO_SCENARIO");
        HttpRouting.Builder routing = HttpRouting.builder();
        Routes.mount(scenario, routing);
        String host = Environment.optional("HOST", "127.0.0.1");
        WebServer.builder()
                .host(host)
                .port(port)
                .routing(routing)
                // How long requests in flight may take to end after SIGTERM; by default half a second.
                .shutdownGracePeriod(Duration.ofSeconds(2))
                .build()
                .start();
    }
}
