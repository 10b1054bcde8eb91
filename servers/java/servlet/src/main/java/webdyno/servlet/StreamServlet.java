package webdyno.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.regex.Pattern;

/** GET /stream?n=N&tag=TAG: N pieces of 4096 bytes, each made when it can be written. */
final class StreamServlet extends HttpServlet {
    private static final int PIECE_BYTES = 4096;
    private static final int MOST = 65_536;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        int count = pieces(request.getParameter("n"));
        String tag = request.getParameter("tag");
        if (count == 0 || tag == null || !TAG.matcher(tag).matches()) {
            response.sendError(400, "n must be 1 to " + MOST + ", tag have 18 digits");
            return;
        }
        response.setContentType("text/plain; charset=utf-8");
        // A write waits until the connection can take it.
        OutputStream out = response.getOutputStream();
        for (int number = 0; number < count; number++) {
            out.write(piece(number, tag));
        }
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
