package webdyno.spring.stream

import java.time.Instant
import java.time.temporal.ChronoUnit
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import org.springframework.context.annotation.Profile
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException

private const val PIECE_BYTES = 4096
private const val MOST = 65_536
private val number = Regex("[0-9]{1,5}")
private val eighteenDigits = Regex("[0-9]{18}")

/** GET /stream?n=N&tag=TAG: N pieces of 4096 bytes, each made when the connection can take it. */
@RestController
@Profile("stream")
class StreamController {
    @GetMapping("/stream", produces = [MediaType.TEXT_PLAIN_VALUE])
    fun stream(@RequestParam n: String, @RequestParam tag: String): Flow<ByteArray> {
        val count = pieces(n)
        if (count == null || !eighteenDigits.matches(tag)) {
            throw ResponseStatusException(HttpStatus.BAD_REQUEST, "n must be 1 to $MOST, tag have 18 digits")
        }
        return flow { repeat(count) { emit(piece(it, tag)) } }
    }
}

/** How many pieces a text asks for; null where it is no number of 1 to 65536. */
private fun pieces(text: String): Int? =
    text.takeIf(number::matches)?.toInt()?.takeIf { it in 1..MOST }

private fun piece(number: Int, tag: String): ByteArray {
    val micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
    val head = "%010d %s %016d ".format(number, tag, micros)
    return (head.padEnd(PIECE_BYTES - 1, '.') + "\n").toByteArray()
}
