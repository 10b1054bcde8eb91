package webdyno.spring.events

import java.time.Instant
import java.time.temporal.ChronoUnit
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.springframework.context.annotation.Profile
import org.springframework.http.CacheControl
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.http.codec.ServerSentEvent
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestHeader
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException

private const val MOST = 10_000
private const val LONGEST_MS = 1000
private val fiveDigits = Regex("[0-9]{1,5}")
private val eighteenDigits = Regex("[0-9]{18}")

/** What an event holds, as JSON. */
data class Event(val number: Int, val tag: String, val made: Long)

/** GET /events?n=N&tag=TAG&gap=GAP: N events, each made when its turn has come. */
@RestController
@Profile("sse")
class EventsController {
    @GetMapping("/events", produces = [MediaType.TEXT_EVENT_STREAM_VALUE])
    fun events(
        @RequestParam n: String,
        @RequestParam tag: String,
        @RequestParam(required = false) gap: String?,
        @RequestHeader("Last-Event-ID", required = false) lastEventId: String?,
    ): ResponseEntity<Flow<ServerSentEvent<Event>>> {
        val count = whole(n)?.takeIf { it in 1..MOST } ?: throw wrong()
        // Spring would take a defaultValue for an empty one, too.
        val gapMs = whole(gap ?: "0")?.takeIf { it <= LONGEST_MS } ?: throw wrong()
        val last = whole(lastEventId ?: "0")?.takeIf { it <= count } ?: throw wrong()
        if (!eighteenDigits.matches(tag)) throw wrong()
        if (last == count) return ResponseEntity.noContent().build()
        val events = flow {
            for (number in last + 1..count) {
                if (gapMs > 0 && number > last + 1) delay(gapMs.toLong())
                emit(event(number, tag))
            }
        }
        return ResponseEntity.ok().cacheControl(CacheControl.noCache()).body(events)
    }
}

/** The number that a text is in up to five digits; null where it is none. */
private fun whole(text: String): Int? = text.takeIf(fiveDigits::matches)?.toInt()

private fun wrong() =
    ResponseStatusException(HttpStatus.BAD_REQUEST, "n must be 1 to $MOST, tag have 18 digits")

private fun event(number: Int, tag: String): ServerSentEvent<Event> {
    val made = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
    return ServerSentEvent.builder(Event(number, tag, made)).id(number.toString()).build()
}
