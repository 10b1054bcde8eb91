package webdyno.ktor

import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.routing.routing
import io.ktor.server.websocket.WebSockets
import io.ktor.server.websocket.webSocket
import io.ktor.websocket.Frame
import io.ktor.websocket.readBytes

/** GET /ws: sends the messages of a WebSocket back. */
fun Application.websocketEcho() {
    install(WebSockets)
    routing {
        webSocket("/ws") {
            for (message in incoming) {
                when (message) {
                    is Frame.Text -> send(Frame.Text(true, message.readBytes()))
                    is Frame.Binary -> send(Frame.Binary(true, message.readBytes()))
                    else -> {}
                }
            }
        }
    }
}
