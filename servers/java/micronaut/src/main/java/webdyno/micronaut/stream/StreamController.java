package webdyno.micronaut.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** GET /stream?n=N&tag=TAG: N pieces of 4096 bytes, each made when the connection can take it. */
@Controller
@Requires(property = "webdyno.scenario", value = "stream")
final class StreamController {
    private static final int PIECE_BYTES = 4096;
    private static final int MOST = 65_536;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    @Get(uri = "/stream", produces = MediaType.TEXT_PLAIN)
    Publisher<byte[]> stream(@QueryValue String n, @QueryValue String tag) {
        int count = pieces(n);
        if (count == 0 || !TAG.matcher(tag).matches()) {
            throw new HttpStatusException(
                    HttpStatus.BAD_REQUEST, "n must be 1 to " + MOST + ", tag have 18 digits");
        }
        return Flux.range(0, count).map(number -> piece(number, tag));
    }

    /** How many pieces a text asks for; 0 where it is no number of 1 to 65536. */
    private static int pieces(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return 0;
        }
        int count = Integer.parseInt(text);
        return count <= MOST ? count : 0;
    }

    private static byte[] piece(int number, String tag) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        byte[] head = "%010d %s %016d ".formatted(number, tag, micros).getBytes(US_ASCII);
        byte[] piece = Arrays.copyOf(head, PIECE_BYTES);
        Arrays.fill(piece, head.length, PIECE_BYTES - 1, (byte) '.');
        piece[PIECE_BYTES - 1] = '\n';
        return piece;
    }
}
