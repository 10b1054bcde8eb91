package webdyno.spring.sessions

import org.springframework.context.annotation.Profile
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.WebSession

/** GET /: counts the visits of a session. */
@RestController
@Profile("session-counter")
class VisitController {
    @GetMapping("/", produces = [MediaType.TEXT_PLAIN_VALUE])
    suspend fun visit(session: WebSession): String {
        val held = session.attributes["count"] as Number?
        val count = (held?.toLong() ?: 0) + 1
        session.attributes["count"] = count
        return "Count is $count"
    }
}
