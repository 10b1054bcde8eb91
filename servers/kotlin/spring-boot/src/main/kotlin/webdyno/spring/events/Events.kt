package webdyno.spring.events

import java.io.IOException
import java.time.Duration
import java.time.Instant
import java.time.temporal.ChronoUnit
import kotlin.jvm.optionals.getOrNull
import org.springframework.http.HttpStatus
import org.springframework.web.server.ResponseStatusException
import org.springframework.web.servlet.function.ServerRequest
import org.springframework.web.servlet.function.ServerResponse

private const val MOST = 10_000
private const val LONGEST_MS = 1000
private val fiveDigits = Regex("[0-9]{1,5}")
private val eighteenDigits = Regex("[0-9]{18}")

/** What an event holds, as JSON. */
data class Event(val number: Int, val tag: String, val made: Long)

/** Answers GET /events?n=N&tag=TAG&gap=GAP: N events, each made when its turn has come. */
fun answer(request: ServerRequest): ServerResponse {
    val count = whole(request.param("n").getOrNull())?.takeIf { it in 1..MOST } ?: throw wrong()
    val gapMs = whole(request.param("gap").orElse("0"))?.takeIf { it <= LONGEST_MS } ?: throw wrong()
    val lastId = request.headers().firstHeader("Last-Event-ID")
    val last = whole(lastId ?: "0")?.takeIf { it <= count } ?: throw wrong()
    val tag = request.param("tag").getOrNull()?.takeIf(eighteenDigits::matches) ?: throw wrong()
    if (last == count) return ServerResponse.noContent().build()
    // By default Tomcat ends an answer that takes longer than 30 s.
    return ServerResponse.sse({ client -> client.push(last + 1..count, tag, gapMs) }, Duration.ZERO)
}

private fun ServerResponse.SseBuilder.push(numbers: IntRange, tag: String, gapMs: Int) {
    try {
        for (number in numbers) {
            if (gapMs > 0 && number > numbers.first) Thread.sleep(gapMs.toLong())
            val made = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
            id(number.toString()).data(Event(number, tag, made))
        }
        complete()
    } catch (gone: IOException) {
        error(gone)
    } catch (stopped: InterruptedException) {
        error(stopped)
    }
}

/** The number that a text is in up to five digits; null where it is none. */
private fun whole(text: String?): Int? = text?.takeIf(fiveDigits::matches)?.toInt()

private fun wrong() =
    ResponseStatusException(HttpStatus.BAD_REQUEST, "n must be 1 to $MOST, tag have 18 digits")
