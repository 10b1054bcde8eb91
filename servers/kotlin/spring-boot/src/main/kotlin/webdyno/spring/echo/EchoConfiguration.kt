package webdyno.spring.echo

import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile
import org.springframework.web.socket.config.annotation.EnableWebSocket
import org.springframework.web.socket.config.annotation.WebSocketConfigurer
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean

private const val LONGEST_MESSAGE = 1 shl 20

/** GET /ws: the WebSocket of the scenario websocket-echo. */
@Configuration(proxyBeanMethods = false)
@EnableWebSocket
@Profile("websocket-echo")
class EchoConfiguration : WebSocketConfigurer {
    override fun registerWebSocketHandlers(registry: WebSocketHandlerRegistry) {
        registry.addHandler(EchoHandler(), "/ws")
    }

    /** By default Tomcat takes messages of up to 8 kB. */
    @Bean
    fun webSocketContainer() =
        ServletServerContainerFactoryBean().apply {
            setMaxTextMessageBufferSize(LONGEST_MESSAGE)
            setMaxBinaryMessageBufferSize(LONGEST_MESSAGE)
        }
}
