package webdyno.spring.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** GET /stream?n=N&tag=TAG: N pieces of 4096 bytes, each made when it can be written. */
@RestController
@Profile("stream")
class StreamController {
    private static final int PIECE_BYTES = 4096;
    private static final int MOST = 65_536;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    @GetMapping("/stream")
    ResponseEntity<StreamingResponseBody> stream(
            @RequestParam String n, @RequestParam String tag) {
        int count = pieces(n);
        if (count == 0 || !TAG.matcher(tag).matches()) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "n must be 1 to " + MOST + ", tag have 18 digits");
        }
        // A write waits until the connection can take it.
        return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body(out -> {
            for (int number = 0; number < count; number++) {
                out.write(piece(number, tag));
            }
        });
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
