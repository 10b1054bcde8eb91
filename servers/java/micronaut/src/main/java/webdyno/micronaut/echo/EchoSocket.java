package webdyno.micronaut.echo;

import io.micronaut.context.annotation.Requires;
import io.micronaut.websocket.CloseReason;
import io.micronaut.websocket.WebSocketSession;
import io.micronaut.websocket.annotation.OnClose;
import io.micronaut.websocket.annotation.OnMessage;
import io.micronaut.websocket.annotation.ServerWebSocket;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import reactor.core.publisher.Mono;

/**
 * GET /ws: sends the messages of a WebSocket back; Micronaut answers its pings.
 *
 * <p>Frame by frame, because the other types that a method can take do not tell a text from a
 * binary message. What is sent is sent by the methods themselves: those that return a publisher
 * are always called on the event loop, so the order is kept, but another thread may subscribe.
 */
@ServerWebSocket("/ws")
@Requires(property = "webdyno.scenario", value = "websocket-echo")
final class EchoSocket {
    private static final int LONGEST_FRAME = 1 << 20;

    @OnMessage(maxPayloadLength = LONGEST_FRAME)
    Mono<Void> echo(WebSocketFrame frame, WebSocketSession session) {
        if (session.isOpen()) {
            session.sendAsync(frame);
        } else {
            frame.release();
        }
        return Mono.empty();
    }

    /** Without this, Micronaut answers a close, but does not end the connection. */
    @OnClose
    Mono<Void> close(CloseReason reason, WebSocketSession session) {
        boolean unstated = reason.getCode() < 0;
        session.close(unstated ? CloseReason.NORMAL : reason);
        return Mono.empty();
    }
}
