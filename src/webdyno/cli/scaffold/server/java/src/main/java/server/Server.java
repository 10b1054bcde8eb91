package server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;

/** A server of the JDK itself. Replace it with your framework's. */
public final class Server {
    private static final byte[] HELLO = "Hello World".getBytes(StandardCharsets.UTF_8);
    private static final Map<String, HttpHandler> APPS = Map.of("hello", Server::hello);

    private static void hello(HttpExchange exchange) throws IOException {
        // A context matches every path that begins with its own.
        boolean found = exchange.getRequestURI().getPath().equals("/hello");
        if (found) {
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(200, HELLO.length);
            exchange.getResponseBody().write(HELLO);
        } else {
            exchange.sendResponseHeaders(404, -1);
        }
        exchange.close();
    }

    public static void main(String[] arguments) throws IOException {
        String scenario = System.getenv().getOrDefault("WEBDYNO_SCENARIO", "");
        HttpHandler app = APPS.get(scenario);
        if (app == null) {
            System.err.printf("WEBDYNO_SCENARIO is '%s'; one of: %s%n", scenario, APPS.keySet());
            System.exit(2);
        }
        int port = Integer.parseInt(System.getenv("PORT"));
        String host = System.getenv().getOrDefault("HOST", "127.0.0.1");
        var address = new InetSocketAddress(InetAddress.getByName(host), port);
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", app);
        server.setExecutor(Executors.newCachedThreadPool());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(0)));
        server.start();
    }
}
