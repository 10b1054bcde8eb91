package webdyno.quarkus.events;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.ResponseHeader;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestStreamElementType;

/** GET /events?n=N&tag=TAG&gap=GAP: N events, each made when its turn has come. */
@Path("/events")
@EndpointDisabled(name = "endpoint.sse", stringValue = "off")
public class EventsResource {
    private static final int MOST = 10_000;
    private static final int LONGEST_MS = 1000;
    private static final Pattern FIVE_DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    private final Sse sse;

    EventsResource(Sse sse) {
        this.sse = sse;
    }

    /** What an event holds, as JSON. */
    private record Event(int number, String tag, long made) {}

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @RestStreamElementType(MediaType.APPLICATION_JSON)
    @ResponseHeader(name = "Cache-Control", value = "no-cache")
    public Multi<OutboundSseEvent> events(
            @RestQuery String n,
            @RestQuery String tag,
            @Context UriInfo uri,
            @RestHeader("Last-Event-ID") String lastEventId) {
        int count = whole(n);
        // To @RestQuery, an empty one is none.
        String gap = uri.getQueryParameters().getFirst("gap");
        int gapMs = gap == null ? 0 : whole(gap);
        int last = lastEventId == null ? 0 : whole(lastEventId);
        boolean right = count >= 1 && count <= MOST
                && gapMs >= 0 && gapMs <= LONGEST_MS
                && last >= 0 && last <= count
                && tag != null && TAG.matcher(tag).matches();
        if (!right) {
            throw new BadRequestException("n must be 1 to 10000, tag have 18 digits");
        }
        if (last == count) {
            throw new WebApplicationException(Status.NO_CONTENT);
        }
        return turns(last + 1, count, gapMs).map(number -> event(number, tag));
    }

    /** The numbers of events, each when the one before is sent and the gap has passed. */
    private static Multi<Integer> turns(int first, int last, int gapMs) {
        Multi<Integer> numbers = Multi.createFrom().range(first, last + 1);
        if (gapMs == 0) {
            return numbers;
        }
        Duration gap = Duration.ofMillis(gapMs);
        return numbers.onItem().transformToUniAndConcatenate(number -> {
            Uni<Integer> turn = Uni.createFrom().item(number);
            return number == first ? turn : turn.onItem().delayIt().by(gap);
        });
    }

    private OutboundSseEvent event(int number, String tag) {
        long made = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        return sse.newEventBuilder()
                .id(Integer.toString(number))
                .data(new Event(number, tag, made))
                .build();
    }

    /** The number that a text is in up to five digits; -1 where it is none. */
    private static int whole(String text) {
        boolean fits = text != null && FIVE_DIGITS.matcher(text).matches();
        return fits ? Integer.parseInt(text) : -1;
    }
}
