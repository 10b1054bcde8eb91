package webdyno.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** GET /json: ten fresh random numbers, serialised by Jackson. */
@RestController
@Profile("json")
class JsonController {
    @GetMapping("/json")
    Map<String, Integer> numbers() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (int number = 1; number <= 10; number++) {
            numbers.put("Test Number " + number, random.nextInt(0, 1001));
        }
        return numbers;
    }
}
