package webdyno.spring.sessions;

import jakarta.servlet.http.HttpSession;
import org.springframework.context.annotation.Profile;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** GET /: counts the visits of a session. */
@RestController
@Profile("session-counter")
class VisitController {
    @GetMapping(path = "/", produces = MediaType.TEXT_PLAIN_VALUE)
    String visit(HttpSession session) {
        Number held = (Number) session.getAttribute("count");
        long count = held == null ? 1 : held.longValue() + 1;
        session.setAttribute("count", count);
        return "Count is " + count;
    }
}
