package webdyno.vertx;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.SessionHandler;
import io.vertx.ext.web.handler.StaticHandler;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Starts Vert.x with the routes of the scenario that WEBDYNO_SCENARIO names. */
public final class Server extends VerticleBase {
    private static final Pattern DECIMAL_UP_TO_100000 = Pattern.compile("[1-9]\\d{0,4}|100000");
    private static final String FIND = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";

    private final int port;
    private final Consumer<Router> mount;
    private HttpServer server;

    private Server(int port, Consumer<Router> mount) {
        this.port = port;
        this.mount = mount;
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(Environment.required("PORT"));
        Vertx vertx = Vertx.vertx();
        Consumer<Router> mount = routes(Environment.required("WEBDYNO_SCENARIO"), vertx);
        int cores = Runtime.getRuntime().availableProcessors();
        vertx.deployVerticle(
                        () -> new Server(port, mount), new DeploymentOptions().setInstances(cores))
                .onComplete(
                        listening -> closeAtExit(vertx),
                        error -> {
                            System.err.println(
                                    "cannot listen on port " + port + ": " + error.getMessage());
                            System.exit(1);
                        });
    }

    /** Vert.x leaves it to the program what happens at SIGTERM. */
    private static void closeAtExit(Vertx vertx) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .completeOnTimeout(null, 3, TimeUnit.SECONDS)
                .join()));
    }

    @Override
    public Future<?> start() {
        Router router = Router.router(vertx);
        mount.accept(router);
        String host = System.getenv().getOrDefault("HOST", "127.0.0.1");
        server = vertx.createHttpServer().requestHandler(router);
        return server.listen(port, host);
    }

    /** Requests in flight have two seconds to end. */
    @Override
    public Future<?> stop() {
        return server.shutdown(2, TimeUnit.SECONDS);
    }

    private static Consumer<Router> routes(String scenario, Vertx vertx) throws IOException {
        switch (scenario) {
            case "hello":
                return router -> router.get("/hello").handler(context -> text(context, "Hello World"));
            case "middleware":
                return middleware(new Counts(), Counts.wanted());
            case "json":
                return router -> router.get("/json").handler(context -> context.json(Numbers.draw()));
            case "blog":
                return blog(Path.of(Environment.required("WEBDYNO_BLOG_DATA")));
            case "sha256":
                return sha256(vertx, new Digests(Path.of(Environment.required("WEBDYNO_FILE"))));
            case "session-counter":
                return visits(new TableSessions(vertx, Databases.postgresql(vertx)));
            case "point-lookup":
                return pointLookup(Databases.mysql(vertx));
            case "queries":
                Rows queried = new Rows(Databases.postgresql(vertx));
                return router -> router.get("/queries").handler(context ->
                        queried.readWorlds(rows(context)).onComplete(context::json, context::fail));
            case "updates":
                Rows counted = new Rows(Databases.postgresql(vertx));
                return router -> router.post("/updates").handler(context ->
                        counted.countItems(rows(context)).onComplete(context::json, context::fail));
            case "fortunes":
                return fortunes(new Rows(Databases.postgresql(vertx)));
            case "page":
                return news(new Rows(Databases.postgresql(vertx)));
            case "cached":
                WorldCache worlds = new WorldCache(new Rows(Databases.postgresql(vertx)));
                return router -> router.get("/cached").handler(context ->
                        worlds.draw(rows(context)).onComplete(context::json, context::fail));
            case "static":
                return files(Environment.required("WEBDYNO_STATIC"));
            case "upload":
                return router -> router.post("/upload").handler(context ->
                        Uploads.digest(context.request())
                                .onComplete(digest -> text(context, digest), context::fail));
            case "stream":
                return router -> router.get("/stream").handler(Server::stream);
            case "sse":
                return router -> router.get("/events").handler(Server::events);
            case "websocket-echo":
                return router -> router.get("/ws").handler(Server::echo);
            default:
                Environment.refuse("WEBDYNO_SCENARIO is \"" + scenario + "\": expected one of"
                        + " hello, middleware, json, blog, sha256, session-counter, point-lookup,"
                        + " queries, updates, fortunes, page, cached, static, upload, stream,"
                        + " sse, websocket-echo");
                throw new IllegalStateException("not reached");
        }
    }

    private static Consumer<Router> middleware(Counts counts, int wanted) {
        return router -> {
            for (int number = wanted; number > 0; number--) {
                router.route().handler(context -> {
                    counts.pass();
                    context.next();
                });
            }
            router.get("/hello").handler(context -> {
                counts.receive();
                text(context, "Hello World");
            });
            router.get("/passed").handler(context -> context.json(counts.tally()));
        };
    }

    private static Consumer<Router> blog(Path data) throws IOException {
        Blog blog = new Blog(data);
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        String files = data.resolve("static").toString();
        return router -> {
            router.get("/blog").handler(
                    context -> page(context, templates, "blog.jte", blog.draw()));
            router.get().handler(StaticHandler.create(FileSystemAccess.ROOT, files));
        };
    }

    private static Consumer<Router> files(String folder) {
        // In its cache, a file that is missing once stays missing.
        return router -> router.get().handler(
                StaticHandler.create(FileSystemAccess.ROOT, folder).setCachingEnabled(false));
    }

    private static Consumer<Router> sha256(Vertx vertx, Digests digests) {
        return router -> router.get("/benchmark").handler(context -> {
            String n = context.request().getParam("n");
            if (n == null || !DECIMAL_UP_TO_100000.matcher(n).matches()) {
                context.fail(400);
                return;
            }
            int rounds = Integer.parseInt(n);
            // Reading and hashing would hold up every connection of the event loop they ran on.
            vertx.executeBlocking(() -> digests.chain(rounds), false)
                    .onComplete(digest -> text(context, digest), context::fail);
        });
    }

    private static Consumer<Router> visits(TableSessions table) {
        SessionHandler sessions = SessionHandler.create(table)
                .setSigningSecret(Environment.required("WEBDYNO_SECRET"))
                .setCookieHttpOnlyFlag(true)
                .setCookieSameSite(CookieSameSite.LAX);
        return router -> router.get("/").handler(sessions).handler(context -> {
            Number held = context.session().get("count");
            long count = held == null ? 1 : held.longValue() + 1;
            context.session().put("count", count);
            // Unasked, the row would be written beside the answer, which would not wait for it.
            sessions.flush(context)
                    .onComplete(written -> text(context, "Count is " + count), context::fail);
        });
    }

    private static Consumer<Router> pointLookup(Pool database) {
        List<String> candidates = List.of(Environment.required("WEBDYNO_SKUS").split(","));
        return router -> router.get("/sku").handler(context -> {
            String asked = context.request().getParam("id");
            String id = asked == null
                    ? candidates.get(ThreadLocalRandom.current().nextInt(candidates.size()))
                    : asked;
            database.preparedQuery(FIND).execute(Tuple.of(id)).onComplete(
                    rows -> {
                        if (rows.size() == 0) {
                            context.fail(404);
                        } else {
                            text(context, rows.iterator().next().getString(0));
                        }
                    },
                    context::fail);
        });
    }

    private static Consumer<Router> fortunes(Rows rows) {
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        return router -> router.get("/fortunes").handler(context -> {
            String added = context.request().getParam("added", "");
            if (added.isEmpty()) {
                context.fail(400);
                return;
            }
            rows.readFortunes(added).onComplete(
                    found -> page(context, templates, "fortunes.jte", found), context::fail);
        });
    }

    private static Consumer<Router> news(Rows rows) {
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        return router -> router.get("/page").handler(context ->
                rows.readArticles().onComplete(
                        articles -> page(context, templates, "page.jte", articles), context::fail));
    }

    private static void stream(RoutingContext context) {
        int count = Pieces.count(context.request().getParam("n"));
        String tag = context.request().getParam("tag");
        if (count == 0 || !Pieces.isTag(tag)) {
            context.fail(400);
            return;
        }
        Streams.send(context.vertx(), context.response(), count, tag);
    }

    private static void events(RoutingContext context) {
        Optional<Events.Wanted> asked = Events.Wanted.of(context.request());
        if (asked.isEmpty()) {
            context.fail(400);
        } else if (asked.get().last() == asked.get().count()) {
            context.response().setStatusCode(204).end();
        } else {
            Events.push(context.vertx(), context.response(), asked.get());
        }
    }

    private static void echo(RoutingContext context) {
        if (!context.request().canUpgradeToWebSocket()) {
            context.response().putHeader("Upgrade", "websocket").setStatusCode(426).end();
            return;
        }
        context.request().toWebSocket().onComplete(Echo::serve, context::fail);
    }

    private static int rows(RoutingContext context) {
        return Rows.clamped(context.request().getParam("n"));
    }

    private static void text(RoutingContext context, String body) {
        context.response().putHeader("Content-Type", "text/plain; charset=utf-8").end(body);
    }

    private static void page(
            RoutingContext context, TemplateEngine templates, String name, Object model) {
        Utf8ByteOutput page = new Utf8ByteOutput();
        templates.render(name, model, page);
        context.response()
                .putHeader("Content-Type", "text/html; charset=utf-8")
                .end(Buffer.buffer(page.toByteArray()));
    }
}
