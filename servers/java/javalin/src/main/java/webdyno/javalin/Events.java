package webdyno.javalin;

import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.javalin.http.sse.SseClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * Pushes the events that a client asks for, each when its turn has come.
 *
 * <p>The client is Javalin's own, but not its sse handler: that answers only who accepts nothing but
 * events, and ends the connection after them.
 */
final class Events {
    private static final int MOST = 10_000;
    private static final int LONGEST_MS = 1000;
    private static final Pattern FIVE_DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    private Events() {}

    /** What an event holds, as JSON. */
    private record Event(int number, String tag, long made) {}

    static void push(Context context) throws InterruptedException {
        int count = whole(parameter(context, "n", ""));
        int gapMs = whole(parameter(context, "gap", "0"));
        String tag = parameter(context, "tag", "");
        String lastId = context.header("Last-Event-ID");
        int last = lastId == null ? 0 : whole(lastId);
        boolean right = count >= 1 && count <= MOST
                && gapMs >= 0 && gapMs <= LONGEST_MS
                && last >= 0 && last <= count
                && TAG.matcher(tag).matches();
        if (!right) {
            throw new BadRequestResponse("n must be 1 to 10000, tag have 18 digits");
        }
        if (last == count) {
            context.status(HttpStatus.NO_CONTENT);
            return;
        }
        context.contentType("text/event-stream").header("Cache-Control", "no-cache");
        SseClient client = new SseClient(context);
        for (int number = last + 1; number <= count && !client.terminated(); number++) {
            if (gapMs > 0 && number > last + 1) {
                Thread.sleep(gapMs);
            }
            long made = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            client.sendData(new Event(number, tag, made), Integer.toString(number));
        }
    }

    private static String parameter(Context context, String name, String otherwise) {
        String value = context.queryParam(name);
        return value == null ? otherwise : value;
    }

    /** The number that a text is in up to five digits; -1 where it is none. */
    private static int whole(String text) {
        return FIVE_DIGITS.matcher(text).matches() ? Integer.parseInt(text) : -1;
    }
}
