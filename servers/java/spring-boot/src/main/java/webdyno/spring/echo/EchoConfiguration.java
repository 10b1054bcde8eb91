package webdyno.spring.echo;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/** GET /ws: the WebSocket of the scenario websocket-echo. */
@Configuration(proxyBeanMethods = false)
@EnableWebSocket
@Profile("websocket-echo")
class EchoConfiguration implements WebSocketConfigurer {
    private static final int LONGEST_MESSAGE = 1 << 20;

    @Override
    public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
        registry.addHandler(new EchoHandler(), "/ws");
    }

    /** By default Tomcat takes messages of up to 8 kB. */
    @Bean
    ServletServerContainerFactoryBean webSocketContainer() {
        ServletServerContainerFactoryBean container = new ServletServerContainerFactoryBean();
        container.setMaxTextMessageBufferSize(LONGEST_MESSAGE);
        container.setMaxBinaryMessageBufferSize(LONGEST_MESSAGE);
        return container;
    }
}
