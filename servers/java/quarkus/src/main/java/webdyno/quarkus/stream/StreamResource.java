package webdyno.quarkus.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import io.smallrye.mutiny.Multi;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.RestQuery;

/** GET /stream?n=N&tag=TAG: N pieces of 4096 bytes, each made when the one before is written. */
@Path("/stream")
@EndpointDisabled(name = "endpoint.stream", stringValue = "off")
public class StreamResource {
    private static final int PIECE_BYTES = 4096;
    private static final int MOST = 65_536;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public Multi<byte[]> stream(@RestQuery String n, @RestQuery String tag) {
        int count = pieces(n);
        if (count == 0 || tag == null || !TAG.matcher(tag).matches()) {
            throw new BadRequestException("n must be 1 to " + MOST + ", tag have 18 digits");
        }
        return Multi.createFrom().range(0, count).map(number -> piece(number, tag));
    }

    /** How many pieces a text asks for; 0 where it is no number of 1 to 65536. */
    private static int pieces(String text) {
        if (text == null || !NUMBER.matcher(text).matches()) {
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
