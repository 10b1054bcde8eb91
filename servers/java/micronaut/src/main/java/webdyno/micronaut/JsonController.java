package webdyno.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** GET /json: ten fresh random numbers. */
@Controller
@Requires(property = "webdyno.scenario", value = "json")
final class JsonController {
    @Get("/json")
    Map<String, Integer> numbers() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (int number = 1; number <= 10; number++) {
            numbers.put("Test Number " + number, random.nextInt(0, 1001));
        }
        return numbers;
    }
}
