package webdyno.ktor

import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.routing.routing
import io.ktor.server.websocket.WebSockets
import io.ktor.server.websocket.webSocket
import io.ktor.websocket.Frame
import io.ktor.websocket.readBytes

/** How many frames of a WebSocket may wait, in each direction. */
private const val WAITING = 8

/** GET /ws: sends the messages of a WebSocket back. */
fun Application.websocketEcho() {
    install(WebSockets) {
        // By default they have no bounds, so a client that reads nothing would fill the heap.
        channels {
            incoming = bounded(WAITING)
            outgoing = bounded(WAITING)
        }
    }
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
