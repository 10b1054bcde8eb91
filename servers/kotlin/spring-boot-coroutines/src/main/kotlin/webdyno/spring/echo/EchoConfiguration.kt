package webdyno.spring.echo

import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping
import org.springframework.web.reactive.socket.WebSocketHandler
import org.springframework.web.reactive.socket.WebSocketMessage

/** GET /ws: sends the messages of a WebSocket back; Reactor Netty answers its pings and its close. */
@Configuration(proxyBeanMethods = false)
@Profile("websocket-echo")
class EchoConfiguration {
    @Bean
    fun echo() = WebSocketHandler { session ->
        val messages =
            session.receive().filter {
                it.type == WebSocketMessage.Type.TEXT || it.type == WebSocketMessage.Type.BINARY
            }
        // What is received is released when it was handled, and sent only later.
        session.send(messages.doOnNext(WebSocketMessage::retain))
    }

    /** Asked before the mapping of static files, which answers every path. */
    @Bean fun webSockets(echo: WebSocketHandler) = SimpleUrlHandlerMapping(mapOf("/ws" to echo), 0)
}
