package webdyno.micronaut.events;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.sse.Event;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** GET /events?n=N&tag=TAG&gap=GAP: N events, each made when its turn has come. */
@Controller
@Requires(property = "webdyno.scenario", value = "sse")
final class EventsController {
    private static final int MOST = 10_000;
    private static final int LONGEST_MS = 1000;
    private static final Pattern FIVE_DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    /** What an event holds, as JSON. */
    @Serdeable
    record Data(int number, String tag, long made) {}

    @Get(uri = "/events", produces = MediaType.TEXT_EVENT_STREAM)
    HttpResponse<Flux<Event<Data>>> events(
            @QueryValue String n,
            @QueryValue String tag,
            @QueryValue(defaultValue = "0") String gap,
            @Nullable @Header("Last-Event-ID") String lastEventId) {
        int count = whole(n);
        int gapMs = whole(gap);
        int last = lastEventId == null ? 0 : whole(lastEventId);
        boolean right = count >= 1 && count <= MOST
                && gapMs >= 0 && gapMs <= LONGEST_MS
                && last >= 0 && last <= count
                && TAG.matcher(tag).matches();
        if (!right) {
            throw new HttpStatusException(
                    HttpStatus.BAD_REQUEST, "n must be 1 to 10000, tag have 18 digits");
        }
        if (last == count) {
            return HttpResponse.noContent();
        }
        return HttpResponse.ok(turns(last + 1, count, gapMs).map(number -> event(number, tag)))
                .header(HttpHeaders.CACHE_CONTROL, "no-cache");
    }

    /** The numbers of events, each when the one before is sent and the gap has passed. */
    private static Flux<Integer> turns(int first, int last, int gapMs) {
        Flux<Integer> numbers = Flux.range(first, last - first + 1);
        if (gapMs == 0) {
            return numbers;
        }
        Duration gap = Duration.ofMillis(gapMs);
        return numbers.concatMap(
                number -> number == first ? Mono.just(number) : Mono.just(number).delayElement(gap),
                0);
    }

    private static Event<Data> event(int number, String tag) {
        long made = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        return Event.of(new Data(number, tag, made)).id(Integer.toString(number));
    }

    /** The number that a text is in up to five digits; -1 where it is none. */
    private static int whole(String text) {
        return FIVE_DIGITS.matcher(text).matches() ? Integer.parseInt(text) : -1;
    }
}
