package webdyno.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** GET /json: ten fresh random numbers. */
@Controller
@Requires(property = "webdyno.scenario", value = "json")
final class JsonController {
    @Get("/json")
    Numbers numbers() {
        return Numbers.draw();
    }
}
