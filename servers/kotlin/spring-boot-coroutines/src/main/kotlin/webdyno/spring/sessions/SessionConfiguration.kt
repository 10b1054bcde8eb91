package webdyno.spring.sessions

import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.session.config.annotation.web.server.EnableSpringWebSession
import org.springframework.web.server.session.WebSessionIdResolver
import tools.jackson.databind.json.JsonMapper

/** Spring Session with a table of our own and a signed cookie. */
@Configuration(proxyBeanMethods = false)
@EnableSpringWebSession
@Profile("session-counter")
class SessionConfiguration {
    @Bean
    fun sessionRepository(database: DatabaseClient, json: JsonMapper) = TableSessions(database, json)

    @Bean
    fun webSessionIdResolver(@Value("\${WEBDYNO_SECRET}") secret: String): WebSessionIdResolver =
        SignedCookies(Signer(secret))
}
