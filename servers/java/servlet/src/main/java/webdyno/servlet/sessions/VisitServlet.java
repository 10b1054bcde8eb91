package webdyno.servlet.sessions;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** GET /: counts the visits of a session, whose id is in a signed cookie. */
public final class VisitServlet extends HttpServlet {
    private static final String NAME = "session";

    private final transient Sessions sessions;
    private final transient Signer signer;

    public VisitServlet(DataSource database, String secret) {
        sessions = new Sessions(database);
        signer = new Signer(secret);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String uid = uid(request).orElseGet(() -> begin(response));
        try {
            long count = sessions.countVisit(uid);
            response.setContentType("text/plain; charset=utf-8");
            response.getWriter().print("Count is " + count);
        } catch (SQLException error) {
            throw new ServletException(error);
        }
    }

    private Optional<String> uid(HttpServletRequest request) {
        return Stream.ofNullable(request.getCookies())
                .flatMap(Stream::of)
                .filter(cookie -> cookie.getName().equals(NAME))
                .findFirst()
                .flatMap(cookie -> signer.verified(cookie.getValue()));
    }

    private String begin(HttpServletResponse response) {
        String uid = UUID.randomUUID().toString();
        Cookie cookie = new Cookie(NAME, signer.sign(uid));
        cookie.setPath("/");
        cookie.setHttpOnly(true);
        cookie.setAttribute("SameSite", "Lax");
        response.addCookie(cookie);
        return uid;
    }
}
