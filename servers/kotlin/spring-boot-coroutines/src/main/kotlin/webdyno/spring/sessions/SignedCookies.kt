package webdyno.spring.sessions

import org.springframework.web.server.ServerWebExchange
import org.springframework.web.server.session.CookieWebSessionIdResolver
import org.springframework.web.server.session.WebSessionIdResolver

/** Spring's cookie with the session's id in it signed, which it leaves plain. */
class SignedCookies(private val signer: Signer) : WebSessionIdResolver {
    private val cookies = CookieWebSessionIdResolver()

    override fun resolveSessionIds(exchange: ServerWebExchange): List<String> =
        cookies.resolveSessionIds(exchange).mapNotNull(signer::verified)

    override fun setSessionId(exchange: ServerWebExchange, sessionId: String) {
        cookies.setSessionId(exchange, signer.sign(sessionId))
    }

    override fun expireSession(exchange: ServerWebExchange) {
        cookies.expireSession(exchange)
    }
}
