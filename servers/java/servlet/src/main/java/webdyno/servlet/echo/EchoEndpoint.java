package webdyno.servlet.echo;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import java.nio.ByteBuffer;

/** Sends the messages of a WebSocket back; Tomcat answers its pings and its close. */
@ServerEndpoint("/ws")
public final class EchoEndpoint {
    @OnMessage
    public String text(String message) {
        return message;
    }

    @OnMessage
    public ByteBuffer bytes(ByteBuffer message) {
        return message;
    }
}
