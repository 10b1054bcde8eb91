package webdyno.helidon;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import io.helidon.http.BadRequestException;
import io.helidon.http.HeaderNames;
import io.helidon.http.NotFoundException;
import io.helidon.http.SetCookie;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.staticcontent.FileSystemHandlerConfig;
import io.helidon.webserver.staticcontent.StaticContentFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;

/** The routes of each scenario. */
final class Routes {
    private static final Pattern DECIMAL_UP_TO_100000 = Pattern.compile("[1-9]\\d{0,4}|100000");
    /** The name of the cookie that holds a session's id, signed. */
    private static final String SESSION = "session";

    private Routes() {}

    static void mount(String scenario, HttpRouting.Builder routing) {
        switch (scenario) {
            case "hello" -> routing.get("/hello", (request, response) -> response.send("Hello World"));
            case "middleware" -> middleware(routing, new Counts());
            case "json" -> routing.get("/json", (request, response) -> response.send(Numbers.draw()));
            case "blog" -> blog(routing, Path.of(Environment.required("WEBDYNO_BLOG_DATA")));
            case "static" -> files(routing, Path.of(Environment.required("WEBDYNO_STATIC")));
            case "sha256" -> sha256(routing, new Digests(Path.of(Environment.required("WEBDYNO_FILE"))));
            case "upload" -> routing.post("/upload",
                    (request, response) -> response.send(Uploads.digest(request.content())));
            case "session-counter" ->
                visits(routing, new Sessions(), new Signer(Environment.required("WEBDYNO_SECRET")));
            case "point-lookup" -> pointLookup(routing, new Lookup());
            case "queries" -> queries(routing, new Rows());
            case "updates" -> updates(routing, new Rows());
            case "fortunes" -> fortunes(routing, new Rows());
            case "page" -> page(routing, new Rows());
            case "cached" -> cached(routing, new WorldCache());
            case "stream" -> routing.get("/stream", Routes::stream);
            case "sse" -> routing.get("/events", Events::push);
            default -> Environment.refuse("WEBDYNO_SCENARIO is \"" + scenario + "\": expected one"
                    + " of hello, middleware, json, blog, static, sha256, upload, session-counter,"
                    + " point-lookup, queries, updates, fortunes, page, cached, stream, sse");
        }
    }

    private static void middleware(HttpRouting.Builder routing, Counts counts) {
        for (int number = Counts.wanted(); number > 0; number--) {
            routing.addFilter((chain, request, response) -> {
                counts.pass();
                chain.proceed();
            });
        }
        routing.get("/hello", (request, response) -> {
            counts.receive();
            response.send("Hello World");
        });
        routing.get("/passed", (request, response) -> response.send(counts.tally()));
    }

    private static void blog(HttpRouting.Builder routing, Path data) {
        Blog blog = blog(data);
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        routing.get("/blog", (request, response) -> {
            Utf8ByteOutput page = new Utf8ByteOutput();
            templates.render("blog.jte", blog.draw(), page);
            response.header(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");
            response.send(page.toByteArray());
        });
        files(routing, data.resolve("static"));
    }

    private static void files(HttpRouting.Builder routing, Path folder) {
        routing.register("/", StaticContentFeature.createService(FileSystemHandlerConfig.create(folder)));
    }

    private static Blog blog(Path data) {
        try {
            return new Blog(data);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static void sha256(HttpRouting.Builder routing, Digests digests) {
        routing.get("/benchmark", (request, response) -> {
            String n = parameter(request, "n");
            if (!DECIMAL_UP_TO_100000.matcher(n).matches()) {
                throw new BadRequestException("n must be an integer from 1 to 100000");
            }
            response.send(digests.chain(Integer.parseInt(n)));
        });
    }

    private static void visits(HttpRouting.Builder routing, Sessions sessions, Signer signer) {
        routing.get("/", (request, response) -> {
            String uid = request.headers().cookies().first(SESSION).asOptional()
                    .flatMap(signer::verified)
                    .orElseGet(() -> begin(response, signer));
            response.send("Count is " + sessions.countVisit(uid));
        });
    }

    private static String begin(ServerResponse response, Signer signer) {
        String uid = UUID.randomUUID().toString();
        response.headers().addCookie(SetCookie.builder(SESSION, signer.sign(uid))
                .path("/")
                .httpOnly(true)
                .sameSite(SetCookie.SameSite.LAX)
                .build());
        return uid;
    }

    private static void pointLookup(HttpRouting.Builder routing, Lookup lookup) {
        routing.get("/sku", (request, response) -> {
            String id = request.query().contains("id") ? parameter(request, "id") : lookup.draw();
            response.send(lookup.find(id).orElseThrow(() -> new NotFoundException("no such row")));
        });
    }

    private static void queries(HttpRouting.Builder routing, Rows rows) {
        routing.get("/queries", (request, response) ->
                response.send(rows.readWorlds(Rows.clamped(parameter(request, "n")))));
    }

    private static void updates(HttpRouting.Builder routing, Rows rows) {
        routing.post("/updates", (request, response) ->
                response.send(rows.countItems(Rows.clamped(parameter(request, "n")))));
    }

    private static void fortunes(HttpRouting.Builder routing, Rows rows) {
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        routing.get("/fortunes", (request, response) -> {
            String added = parameter(request, "added");
            if (added.isEmpty()) {
                throw new BadRequestException("added must be a text");
            }
            Utf8ByteOutput page = new Utf8ByteOutput();
            templates.render("fortunes.jte", rows.readFortunes(added), page);
            response.header(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");
            response.send(page.toByteArray());
        });
    }

    private static void page(HttpRouting.Builder routing, Rows rows) {
        TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
        routing.get("/page", (request, response) -> {
            Utf8ByteOutput page = new Utf8ByteOutput();
            templates.render("page.jte", rows.readArticles(), page);
            response.header(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");
            response.send(page.toByteArray());
        });
    }

    private static void cached(HttpRouting.Builder routing, WorldCache worlds) {
        routing.get("/cached", (request, response) ->
                response.send(worlds.draw(Rows.clamped(parameter(request, "n")))));
    }

    private static void stream(ServerRequest request, ServerResponse response) throws IOException {
        int count = Pieces.count(parameter(request, "n"));
        String tag = parameter(request, "tag");
        if (count == 0 || !Pieces.isTag(tag)) {
            throw new BadRequestException("n must be 1 to 65536, tag have 18 digits");
        }
        response.header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
        // A write waits until the connection can take it.
        try (OutputStream out = response.outputStream()) {
            for (int number = 0; number < count; number++) {
                out.write(Pieces.make(number, tag));
            }
        }
    }

    /** A parameter of the query; empty where there is none. */
    private static String parameter(ServerRequest request, String name) {
        return request.query().first(name).orElse("");
    }
}
