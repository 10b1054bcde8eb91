package webdyno.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/** Sends the pieces that a client asks for, each made when the one before it is written. */
final class Streams {
    private final Vertx vertx;
    private final HttpServerResponse response;
    private final int count;
    private final String tag;

    private Streams(Vertx vertx, HttpServerResponse response, int count, String tag) {
        this.vertx = vertx;
        this.response = response;
        this.count = count;
        this.tag = tag;
    }

    static void send(Vertx vertx, HttpServerResponse response, int count, String tag) {
        response.setChunked(true).putHeader("Content-Type", "text/plain; charset=utf-8");
        new Streams(vertx, response, count, tag).send(0);
    }

    /** Sends a piece; the next one is made when it is written, and never where that fails. */
    private void send(int number) {
        response.write(Buffer.buffer(Pieces.make(number, tag))).onSuccess(written -> {
            if (number + 1 == count) {
                response.end();
            } else {
                // Not at once: other connections of the event loop have their turn, too.
                vertx.runOnContext(turn -> send(number + 1));
            }
        });
    }
}
