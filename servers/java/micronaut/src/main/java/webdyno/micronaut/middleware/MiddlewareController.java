package webdyno.micronaut.middleware;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** GET /hello behind the filters, and GET /passed, which tells what they counted. */
@Controller
@Requires(property = "webdyno.scenario", value = "middleware")
class MiddlewareController {
    private final Counts counts;

    MiddlewareController(Counts counts) {
        this.counts = counts;
    }

    @Get(uri = "/hello", produces = MediaType.TEXT_PLAIN + "; charset=utf-8")
    String hello() {
        counts.receive();
        return "Hello World";
    }

    @Get("/passed")
    Counts.Tally passed() {
        return counts.receive();
    }
}
