package webdyno.spring.middleware

import java.util.concurrent.atomic.AtomicLong
import org.springframework.context.annotation.Profile
import org.springframework.stereotype.Component

/** What a process has seen, as JSON. */
data class Tally(val requests: Long, val passed: Long)

/** What the process has seen: requests, and filters that they passed. */
@Component
@Profile("middleware")
class Counts {
    private val requests = AtomicLong()
    private val passed = AtomicLong()

    /** Counts a filter that a request has passed. */
    fun pass() {
        passed.incrementAndGet()
    }

    /** Counts a request, and tells what the process has seen, that one included. */
    fun receive(): Tally = Tally(requests.incrementAndGet(), passed.get())
}
