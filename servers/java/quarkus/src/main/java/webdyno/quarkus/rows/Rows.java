package webdyno.quarkus.rows;

import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** How many rows a request asks for, and which. */
final class Rows {
    private static final int MOST = 500;
    private static final Pattern FEW_DIGITS = Pattern.compile("[0-9]{1,9}");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private Rows() {}

    /** How many rows a text asks for: 1 to 500. */
    static int clamped(String text) {
        if (text == null || !DIGITS.matcher(text).matches()) {
            return 1;
        }
        boolean few = FEW_DIGITS.matcher(text).matches();
        return few ? Math.max(1, Math.min(Integer.parseInt(text), MOST)) : MOST;
    }

    /** Ids from 1 to the last, without an end. */
    static IntStream drawIds(int last) {
        return ThreadLocalRandom.current().ints(1, last + 1);
    }
}
