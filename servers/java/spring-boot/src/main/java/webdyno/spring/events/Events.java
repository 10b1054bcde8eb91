package webdyno.spring.events;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.ServerResponse.SseBuilder;

/** The events after the last one that the client has, up to a number. */
record Events(int last, int count, String tag, int gapMs) {
    private static final int MOST = 10_000;
    private static final int LONGEST_MS = 1000;
    private static final Pattern FIVE_DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    /** What an event holds, as JSON. */
    record Event(int number, String tag, long made) {}

    /** Answers GET /events?n=N&tag=TAG&gap=GAP: N events, each made when its turn has come. */
    static ServerResponse answer(ServerRequest request) {
        Events events = asked(request);
        if (events.last == events.count) {
            return ServerResponse.noContent().build();
        }
        // By default Tomcat ends an answer that takes longer than 30 s.
        return ServerResponse.sse(events::push, Duration.ZERO);
    }

    private static Events asked(ServerRequest request) {
        int count = whole(request.param("n").orElse(""));
        int gapMs = whole(request.param("gap").orElse("0"));
        String tag = request.param("tag").orElse("");
        String lastId = request.headers().firstHeader("Last-Event-ID");
        int last = lastId == null ? 0 : whole(lastId);
        boolean right = count >= 1 && count <= MOST
                && gapMs >= 0 && gapMs <= LONGEST_MS
                && last >= 0 && last <= count
                && TAG.matcher(tag).matches();
        if (!right) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "n must be 1 to 10000, tag have 18 digits");
        }
        return new Events(last, count, tag, gapMs);
    }

    private void push(SseBuilder client) {
        try {
            for (int number = last + 1; number <= count; number++) {
                if (gapMs > 0 && number > last + 1) {
                    Thread.sleep(gapMs);
                }
                long made = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
                client.id(Integer.toString(number)).data(new Event(number, tag, made));
            }
            client.complete();
        } catch (IOException | InterruptedException error) {
            client.error(error);
        }
    }

    /** The number that a text is in up to five digits; -1 where it is none. */
    private static int whole(String text) {
        return FIVE_DIGITS.matcher(text).matches() ? Integer.parseInt(text) : -1;
    }
}
