package webdyno.spring.sessions

import jakarta.servlet.http.HttpServletRequest
import org.springframework.session.web.http.CookieSerializer
import org.springframework.session.web.http.CookieSerializer.CookieValue
import org.springframework.session.web.http.DefaultCookieSerializer

/** Spring Session's cookie with the session's id in it signed, which it leaves plain. */
class SignedCookies(private val signer: Signer) : CookieSerializer {
    private val cookies = DefaultCookieSerializer()

    override fun writeCookieValue(cookie: CookieValue) {
        val id = cookie.cookieValue
        // An empty value removes the cookie.
        val value = if (id.isEmpty()) id else signer.sign(id)
        cookies.writeCookieValue(CookieValue(cookie.request, cookie.response, value))
    }

    override fun readCookieValues(request: HttpServletRequest): List<String> =
        cookies.readCookieValues(request).mapNotNull(signer::verified)
}
