package webdyno.spring.events

import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile
import org.springframework.web.servlet.function.router

/**
 * GET /events: a functional endpoint, whose events go out as they are sent. An SseEmitter puts those
 * that are sent before its controller has returned into one chunk.
 */
@Configuration(proxyBeanMethods = false)
@Profile("sse")
class EventsConfiguration {
    @Bean fun events() = router { GET("/events", ::answer) }
}
