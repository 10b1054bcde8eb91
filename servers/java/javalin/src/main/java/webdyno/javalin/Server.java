package webdyno.javalin;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.SameSite;
import io.javalin.http.staticfiles.Location;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.websocket.api.Callback;

/** Starts Javalin with the routes of the scenario that WEBDYNO_SCENARIO names. */
public final class Server {
    private static final Pattern DECIMAL_UP_TO_100000 = Pattern.compile("[1-9]\\d{0,4}|100000");
    /** Longer than clients and proxies keep idle connections, so that they close first. */
    private static final int IDLE_MS = 75_000;
    /** How long requests in flight may take to end after SIGTERM. */
    private static final int GRACE_MS = 2_000;
    /** The name of the cookie that holds a session's id, signed. */
    private static final String SESSION = "session";

    private Server() {}

    public static void main(String[] arguments) {
        int port = Integer.parseInt(Environment.required("PORT"));
        String scenario = Environment.required("WEBDYNO_SCENARIO");
        Javalin app = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            // At SIGTERM, requests in flight may end.
            config.jetty.modifyServer(server -> server.setStopTimeout(GRACE_MS));
            config.jetty.addConnector((server, http) -> {
                ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
                connector.setHost(System.getenv().getOrDefault("HOST", "127.0.0.1"));
                connector.setPort(port);
                connector.setIdleTimeout(IDLE_MS);
                return connector;
            });
            try {
                mount(scenario, config);
            } catch (IOException error) {
                Environment.refuse(error.toString());
            }
        });
        Runtime.getRuntime().addShutdownHook(new Thread(app::stop));
        app.start();
    }

    private static void mount(String scenario, JavalinConfig config) throws IOException {
        switch (scenario) {
            case "hello" -> config.routes.get("/hello", context -> context.result("Hello World"));
            case "middleware" -> middleware(config, new Counts());
            case "json" -> config.routes.get("/json", context -> context.json(Numbers.draw()));
            case "blog" -> blog(config, Path.of(Environment.required("WEBDYNO_BLOG_DATA")));
            case "sha256" -> sha256(config, Path.of(Environment.required("WEBDYNO_FILE")));
            case "session-counter" ->
                visits(config, new Sessions(), new Signer(Environment.required("WEBDYNO_SECRET")));
            case "point-lookup" -> pointLookup(config, new Lookup());
            case "queries" -> queries(config, new Rows());
            case "updates" -> updates(config, new Rows());
            case "fortunes" -> fortunes(config, new Rows());
            case "page" -> page(config, new Rows());
            case "cached" -> cached(config, new WorldCache());
            case "static" -> config.staticFiles.add(
                    Environment.required("WEBDYNO_STATIC"), Location.EXTERNAL);
            case "upload" -> config.routes.post("/upload",
                    context -> context.result(Uploads.digest(context.bodyInputStream())));
            case "stream" -> config.routes.get("/stream", Server::stream);
            case "sse" -> config.routes.get("/events", Events::push);
            case "websocket-echo" -> echo(config);
            default -> Environment.refuse("WEBDYNO_SCENARIO is \"" + scenario + "\": expected one"
                    + " of hello, middleware, json, blog, sha256, session-counter, point-lookup,"
                    + " queries, updates, fortunes, page, cached, static, upload, stream,"
                    + " sse, websocket-echo");
        }
    }

    private static void middleware(JavalinConfig config, Counts counts) {
        for (int number = Counts.wanted(); number > 0; number--) {
            config.routes.before(context -> counts.pass());
        }
        config.routes.get("/hello", context -> {
            counts.receive();
            context.result("Hello World");
        });
        config.routes.get("/passed", context -> context.json(counts.tally()));
    }

    private static void blog(JavalinConfig config, Path data) throws IOException {
        Blog blog = new Blog(data);
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        config.staticFiles.add(data.resolve("static").toString(), Location.EXTERNAL);
        config.routes.get("/blog", context -> {
            Utf8ByteOutput page = new Utf8ByteOutput();
            templates.render("blog.jte", blog.draw(), page);
            context.contentType("text/html; charset=utf-8").result(page.toByteArray());
        });
    }

    private static void sha256(JavalinConfig config, Path file) {
        Digests digests = new Digests(file);
        config.routes.get("/benchmark", context -> {
            String n = context.queryParam("n");
            if (n == null || !DECIMAL_UP_TO_100000.matcher(n).matches()) {
                throw new BadRequestResponse("n must be an integer from 1 to 100000");
            }
            context.result(digests.chain(Integer.parseInt(n)));
        });
    }

    private static void visits(JavalinConfig config, Sessions sessions, Signer signer) {
        config.routes.get("/", context -> {
            String uid = Optional.ofNullable(context.cookie(SESSION))
                    .flatMap(signer::verified)
                    .orElseGet(() -> begin(context, signer));
            context.result("Count is " + sessions.countVisit(uid));
        });
    }

    private static String begin(Context context, Signer signer) {
        String uid = UUID.randomUUID().toString();
        Cookie cookie = new Cookie(SESSION, signer.sign(uid));
        cookie.setHttpOnly(true);
        cookie.setSameSite(SameSite.LAX);
        context.cookie(cookie);
        return uid;
    }

    private static void pointLookup(JavalinConfig config, Lookup lookup) {
        config.routes.get("/sku", context -> {
            String id = context.queryParam("id");
            String asked = id == null ? lookup.draw() : id;
            context.result(lookup.find(asked).orElseThrow(NotFoundResponse::new));
        });
    }

    private static void queries(JavalinConfig config, Rows rows) {
        config.routes.get("/queries",
                context -> context.json(rows.readWorlds(Rows.clamped(context.queryParam("n")))));
    }

    private static void updates(JavalinConfig config, Rows rows) {
        config.routes.post("/updates",
                context -> context.json(rows.countItems(Rows.clamped(context.queryParam("n")))));
    }

    private static void fortunes(JavalinConfig config, Rows rows) {
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        config.routes.get("/fortunes", context -> {
            String added = context.queryParam("added");
            if (added == null || added.isEmpty()) {
                throw new BadRequestResponse("added must be a text");
            }
            Utf8ByteOutput page = new Utf8ByteOutput();
            templates.render("fortunes.jte", rows.readFortunes(added), page);
            context.contentType("text/html; charset=utf-8").result(page.toByteArray());
        });
    }

    private static void page(JavalinConfig config, Rows rows) {
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        config.routes.get("/page", context -> {
            Utf8ByteOutput page = new Utf8ByteOutput();
            templates.render("page.jte", rows.readArticles(), page);
            context.contentType("text/html; charset=utf-8").result(page.toByteArray());
        });
    }

    private static void cached(JavalinConfig config, WorldCache worlds) {
        config.routes.get("/cached",
                context -> context.json(worlds.draw(Rows.clamped(context.queryParam("n")))));
    }

    private static void stream(Context context) throws IOException {
        int count = Pieces.count(context.queryParam("n"));
        String tag = context.queryParam("tag");
        if (count == 0 || !Pieces.isTag(tag)) {
            throw new BadRequestResponse("n must be 1 to 65536, tag have 18 digits");
        }
        context.contentType("text/plain; charset=utf-8");
        // A write waits until the connection can take it.
        OutputStream out = context.outputStream();
        for (int number = 0; number < count; number++) {
            out.write(Pieces.make(number, tag));
        }
    }

    private static void echo(JavalinConfig config) {
        config.jetty.modifyWebSocketServletFactory(
                factory -> factory.setIdleTimeout(Duration.ofMillis(IDLE_MS)));
        config.routes.ws("/ws", socket -> {
            socket.onMessage(message ->
                    written(sent -> message.session.sendText(message.message(), sent)));
            socket.onBinaryMessage(message ->
                    written(sent -> message.session.sendBinary(message.data(), sent)));
        });
        // What comes without an upgrade.
        config.routes.get("/ws", context -> context.header("Upgrade", "websocket").status(426));
    }

    /**
     * Sends a message and waits until it is written, as Javalin's own send does not: a client that
     * reads nothing would fill the heap, and Jetty takes the buffer of a message back when its
     * handler returns.
     */
    private static void written(Consumer<Callback.Completable> send) {
        // It fails where the client has left; Jetty then ends the WebSocket.
        Callback.Completable.with(send).exceptionally(left -> null).join();
    }
}
