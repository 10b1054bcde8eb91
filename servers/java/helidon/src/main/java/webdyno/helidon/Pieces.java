package webdyno.helidon;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The pieces of the scenario stream: lines of 4096 bytes. */
final class Pieces {
    private static final int BYTES = 4096;
    private static final int MOST = 65_536;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    private Pieces() {}

    /** How many pieces a text asks for; 0 where it is no number of 1 to 65536. */
    static int count(String text) {
        if (text == null || !NUMBER.matcher(text).matches()) {
            return 0;
        }
        int count = Integer.parseInt(text);
        return count <= MOST ? count : 0;
    }

    static boolean isTag(String text) {
        return text != null && TAG.matcher(text).matches();
    }

    /** The piece of a number, with the time of now. */
    static byte[] make(int number, String tag) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        byte[] head = "%010d %s %016d ".formatted(number, tag, micros).getBytes(US_ASCII);
        byte[] piece = Arrays.copyOf(head, BYTES);
        Arrays.fill(piece, head.length, BYTES - 1, (byte) '.');
        piece[BYTES - 1] = '\n';
        return piece;
    }
}
