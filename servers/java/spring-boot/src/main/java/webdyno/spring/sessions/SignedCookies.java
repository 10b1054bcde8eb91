package webdyno.spring.sessions;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.springframework.session.web.http.CookieSerializer;
import org.springframework.session.web.http.DefaultCookieSerializer;

/** Spring Session's cookie with the session's id in it signed, which it leaves plain. */
class SignedCookies implements CookieSerializer {
    private final CookieSerializer cookies = new DefaultCookieSerializer();
    private final Signer signer;

    SignedCookies(Signer signer) {
        this.signer = signer;
    }

    @Override
    public void writeCookieValue(CookieValue cookie) {
        String id = cookie.getCookieValue();
        // An empty value removes the cookie.
        String value = id.isEmpty() ? id : signer.sign(id);
        cookies.writeCookieValue(new CookieValue(cookie.getRequest(), cookie.getResponse(), value));
    }

    @Override
    public List<String> readCookieValues(HttpServletRequest request) {
        return cookies.readCookieValues(request).stream()
                .map(signer::verified)
                .flatMap(Optional::stream)
                .toList();
    }
}
