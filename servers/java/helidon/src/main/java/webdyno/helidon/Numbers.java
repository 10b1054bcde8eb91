package webdyno.helidon;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Ten fresh random numbers. */
final class Numbers {
    private Numbers() {}

    static Map<String, Integer> draw() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (int number = 1; number <= 10; number++) {
            numbers.put("Test Number " + number, random.nextInt(0, 1001));
        }
        return numbers;
    }
}
