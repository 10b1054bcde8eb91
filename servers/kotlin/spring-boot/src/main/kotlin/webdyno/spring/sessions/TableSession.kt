package webdyno.spring.sessions

import org.springframework.session.MapSession
import org.springframework.session.Session

/**
 * A session that knows whether it was [changed] since it was read or written. Spring Session saves one
 * before the answer is sent and once more after it, when the next visit may have been counted.
 */
class TableSession(private val held: MapSession, var changed: Boolean) : Session by held {
    override fun changeSessionId(): String {
        changed = true
        return held.changeSessionId()
    }

    override fun setAttribute(name: String, value: Any) {
        changed = true
        held.setAttribute(name, value)
    }

    override fun removeAttribute(name: String) {
        changed = true
        held.removeAttribute(name)
    }
}
