package webdyno.helidon;

import io.helidon.common.media.type.MediaTypes;
import io.helidon.http.BadRequestException;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.http.sse.SseEvent;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.sse.SseSink;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/** Pushes the events that a client asks for, each when its turn has come. */
final class Events {
    private static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");
    private static final int MOST = 10_000;
    private static final int LONGEST_MS = 1000;
    private static final Pattern FIVE_DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    private Events() {}

    /** What an event holds, as JSON. */
    private record Event(int number, String tag, long made) {}

    static void push(ServerRequest request, ServerResponse response) throws InterruptedException {
        int count = whole(request.query().first("n").orElse(""));
        int gapMs = whole(request.query().first("gap").orElse("0"));
        String tag = request.query().first("tag").orElse("");
        int last = whole(request.headers().first(LAST_EVENT_ID).orElse("0"));
        boolean right = count >= 1 && count <= MOST
                && gapMs >= 0 && gapMs <= LONGEST_MS
                && last >= 0 && last <= count
                && TAG.matcher(tag).matches();
        if (!right) {
            throw new BadRequestException("n must be 1 to 10000, tag have 18 digits");
        }
        if (last == count) {
            response.status(Status.NO_CONTENT_204).send();
            return;
        }
        try (SseSink sink = response.sink(SseSink.TYPE)) {
            for (int number = last + 1; number <= count; number++) {
                if (gapMs > 0 && number > last + 1) {
                    Thread.sleep(gapMs);
                }
                long made = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
                sink.emit(SseEvent.builder()
                        .id(Integer.toString(number))
                        .data(new Event(number, tag, made))
                        .mediaType(MediaTypes.APPLICATION_JSON)
                        .build());
            }
        }
    }

    /** The number that a text is in up to five digits; -1 where it is none. */
    private static int whole(String text) {
        return FIVE_DIGITS.matcher(text).matches() ? Integer.parseInt(text) : -1;
    }
}
