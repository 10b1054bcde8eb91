package webdyno.helidon;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.concurrent.ThreadLocalRandom;

/** Ten fresh random numbers. */
record Numbers(
        @JsonProperty("Test Number 1") int number1,
        @JsonProperty("Test Number 2") int number2,
        @JsonProperty("Test Number 3") int number3,
        @JsonProperty("Test Number 4") int number4,
        @JsonProperty("Test Number 5") int number5,
        @JsonProperty("Test Number 6") int number6,
        @JsonProperty("Test Number 7") int number7,
        @JsonProperty("Test Number 8") int number8,
        @JsonProperty("Test Number 9") int number9,
        @JsonProperty("Test Number 10") int number10) {
    static Numbers draw() {
        return new Numbers(
                number(), number(), number(), number(), number(),
                number(), number(), number(), number(), number());
    }

    private static int number() {
        return ThreadLocalRandom.current().nextInt(0, 1001);
    }
}
