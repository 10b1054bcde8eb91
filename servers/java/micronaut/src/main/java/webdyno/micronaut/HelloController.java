package webdyno.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** GET /hello: the smallest answer. */
@Controller
@Requires(property = "webdyno.scenario", value = "hello")
final class HelloController {
    @Get(uri = "/hello", produces = MediaType.TEXT_PLAIN + "; charset=utf-8")
    String hello() {
        return "Hello World";
    }
}
