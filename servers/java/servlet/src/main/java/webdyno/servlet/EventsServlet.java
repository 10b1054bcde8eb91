package webdyno.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** GET /events?n=N&tag=TAG&gap=GAP: N events, each made when its turn has come. */
final class EventsServlet extends HttpServlet {
    private static final int MOST = 10_000;
    private static final int LONGEST_MS = 1000;
    private static final Pattern FIVE_DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** What an event holds, as JSON. */
    private record Event(int number, String tag, long made) {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        int count = whole(request.getParameter("n"), -1);
        int gapMs = whole(request.getParameter("gap"), 0);
        String tag = request.getParameter("tag");
        int last = whole(request.getHeader("Last-Event-ID"), 0);
        boolean right = count >= 1 && count <= MOST
                && gapMs >= 0 && gapMs <= LONGEST_MS
                && last >= 0 && last <= count
                && tag != null && TAG.matcher(tag).matches();
        if (!right) {
            response.sendError(400, "n must be 1 to " + MOST + ", tag have 18 digits");
            return;
        }
        if (last == count) {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            return;
        }
        response.setContentType("text/event-stream");
        response.setHeader("Cache-Control", "no-cache");
        OutputStream out = response.getOutputStream();
        for (int number = last + 1; number <= count; number++) {
            if (gapMs > 0 && number > last + 1) {
                pause(gapMs);
            }
            out.write(event(number, tag));
            // Fails where the client has left, so that no more are made for it.
            out.flush();
        }
    }

    private static byte[] event(int number, String tag) throws JsonProcessingException {
        long made = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        String data = MAPPER.writeValueAsString(new Event(number, tag, made));
        return ("id: " + number + "\ndata: " + data + "\n\n").getBytes(UTF_8);
    }

    private static void pause(int gapMs) throws ServletException {
        try {
            Thread.sleep(gapMs);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new ServletException(error);
        }
    }

    /** The number that a text is in up to five digits, -1 where it is none; {@code otherwise} without a text. */
    private static int whole(String text, int otherwise) {
        if (text == null) {
            return otherwise;
        }
        return FIVE_DIGITS.matcher(text).matches() ? Integer.parseInt(text) : -1;
    }
}
