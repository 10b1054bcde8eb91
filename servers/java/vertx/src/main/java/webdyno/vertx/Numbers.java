package webdyno.vertx;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.ThreadLocalRandom;

/** Ten fresh random numbers. */
final class Numbers {
    private Numbers() {}

    static JsonObject draw() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        JsonObject numbers = new JsonObject();
        for (int number = 1; number <= 10; number++) {
            numbers.put("Test Number " + number, random.nextInt(0, 1001));
        }
        return numbers;
    }
}
