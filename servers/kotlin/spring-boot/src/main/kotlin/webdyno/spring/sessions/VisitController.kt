package webdyno.spring.sessions

import jakarta.servlet.http.HttpSession
import org.springframework.context.annotation.Profile
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** GET /: counts the visits of a session. */
@RestController
@Profile("session-counter")
class VisitController {
    @GetMapping("/", produces = [MediaType.TEXT_PLAIN_VALUE])
    fun visit(session: HttpSession): String {
        val held = session.getAttribute("count") as Number?
        val count = (held?.toLong() ?: 0) + 1
        session.setAttribute("count", count)
        return "Count is $count"
    }
}
