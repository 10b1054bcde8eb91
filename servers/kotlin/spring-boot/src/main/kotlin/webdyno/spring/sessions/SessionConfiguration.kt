package webdyno.spring.sessions

import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Profile
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.session.config.annotation.web.http.EnableSpringHttpSession
import org.springframework.session.web.http.CookieSerializer
import tools.jackson.databind.json.JsonMapper

/** Spring Session with a table of our own and a signed cookie. */
@Configuration(proxyBeanMethods = false)
@EnableSpringHttpSession
@Profile("session-counter")
class SessionConfiguration {
    @Bean
    fun sessionRepository(database: JdbcClient, json: JsonMapper) = TableSessions(database, json)

    @Bean
    fun cookieSerializer(@Value("\${WEBDYNO_SECRET}") secret: String): CookieSerializer =
        SignedCookies(Signer(secret))
}
