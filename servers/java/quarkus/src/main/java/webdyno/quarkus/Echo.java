package webdyno.quarkus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;

/**
 * Sends the messages of a WebSocket back; Vert.x answers its pings and its close.
 *
 * <p>The fragments of a message are joined here, because Vert.x's own message handlers lose a
 * message whose first fragment is empty.
 */
final class Echo {
    private static final int LONGEST_BYTES = 1 << 20;
    private static final short TOO_LONG = 1009;

    private final ServerWebSocket socket;
    private Buffer message = Buffer.buffer();
    private boolean text;

    private Echo(ServerWebSocket socket) {
        this.socket = socket;
    }

    static void serve(ServerWebSocket socket) {
        socket.frameHandler(new Echo(socket)::take);
    }

    private void take(WebSocketFrame frame) {
        if (frame.isText() || frame.isBinary()) {
            text = frame.isText();
        } else if (!frame.isContinuation()) {
            return;
        }
        message.appendBuffer(frame.binaryData());
        if (message.length() > LONGEST_BYTES) {
            socket.close(TOO_LONG);
        } else if (frame.isFinal()) {
            send();
            message = Buffer.buffer();
        }
    }

    private void send() {
        if (text) {
            socket.writeTextMessage(message.toString());
        } else {
            socket.writeBinaryMessage(message);
        }
        // No more messages are taken of a client that does not read its answers.
        if (socket.writeQueueFull()) {
            socket.pause();
            socket.drainHandler(drained -> socket.resume());
        }
    }
}
