package webdyno.ktor

import io.ktor.http.ContentType
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.response.respondBytesWriter
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.ktor.utils.io.writeFully
import java.time.Instant
import java.time.temporal.ChronoUnit

private const val PIECE_BYTES = 4096
private const val MOST = 65_536
private val number = Regex("[0-9]{1,5}")
private val eighteenDigits = Regex("[0-9]{18}")

/** GET /stream?n=N&tag=TAG: N pieces of 4096 bytes, each made when the connection can take it. */
fun Application.stream() {
    routing {
        get("/stream") {
            val count = pieces(call.queryParameters["n"])
            val tag = call.queryParameters["tag"].orEmpty()
            if (count == null || !eighteenDigits.matches(tag)) {
                val right = "n must be 1 to $MOST, tag have 18 digits"
                call.respondText(right, status = HttpStatusCode.BadRequest)
                return@get
            }
            // A write suspends until the connection can take it.
            call.respondBytesWriter(ContentType.Text.Plain) {
                repeat(count) { writeFully(piece(it, tag)) }
            }
        }
    }
}

/** How many pieces a text asks for; null where it is no number of 1 to 65536. */
private fun pieces(text: String?): Int? =
    text?.takeIf(number::matches)?.toInt()?.takeIf { it in 1..MOST }

private fun piece(number: Int, tag: String): ByteArray {
    val micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
    val head = "%010d %s %016d ".format(number, tag, micros)
    return (head.padEnd(PIECE_BYTES - 1, '.') + "\n").toByteArray()
}
