package webdyno.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/** Pushes the events that a client asks for, each when its turn has come. */
final class Events {
    private static final int MOST = 10_000;
    private static final int LONGEST_MS = 1000;
    private static final Pattern FIVE_DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final Pattern TAG = Pattern.compile("[0-9]{18}");

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final Wanted wanted;

    private Events(Vertx vertx, HttpServerResponse response, Wanted wanted) {
        this.vertx = vertx;
        this.response = response;
        this.wanted = wanted;
    }

    /** The events after the last one that the client has, up to a number. */
    record Wanted(int last, int count, String tag, int gapMs) {
        /** What a request asks for; empty where it is none of the scenario's. */
        static Optional<Wanted> of(HttpServerRequest request) {
            int count = whole(request.getParam("n", ""));
            int gapMs = whole(request.getParam("gap", "0"));
            String tag = request.getParam("tag", "");
            String lastId = request.getHeader("Last-Event-ID");
            int last = lastId == null ? 0 : whole(lastId);
            boolean right = count >= 1 && count <= MOST
                    && gapMs >= 0 && gapMs <= LONGEST_MS
                    && last >= 0 && last <= count
                    && TAG.matcher(tag).matches();
            return right ? Optional.of(new Wanted(last, count, tag, gapMs)) : Optional.empty();
        }

        /** The number that a text is in up to five digits; -1 where it is none. */
        private static int whole(String text) {
            return FIVE_DIGITS.matcher(text).matches() ? Integer.parseInt(text) : -1;
        }
    }

    static void push(Vertx vertx, HttpServerResponse response, Wanted wanted) {
        response.setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-cache");
        new Events(vertx, response, wanted).send(wanted.last + 1);
    }

    /** Sends an event; the next one is made when it is written, and never where that fails. */
    private void send(int number) {
        JsonObject data = new JsonObject()
                .put("number", number)
                .put("tag", wanted.tag)
                .put("made", ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        response.write("id: " + number + "\ndata: " + data.encode() + "\n\n").onSuccess(written -> {
            if (number == wanted.count) {
                response.end();
            } else if (wanted.gapMs > 0) {
                vertx.setTimer(wanted.gapMs, timer -> send(number + 1));
            } else {
                // Not at once: other connections of the event loop have their turn, too.
                vertx.runOnContext(turn -> send(number + 1));
            }
        });
    }
}
