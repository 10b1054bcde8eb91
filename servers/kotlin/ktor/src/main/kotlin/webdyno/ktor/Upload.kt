package webdyno.ktor

import io.ktor.server.application.Application
import io.ktor.server.request.receiveChannel
import io.ktor.server.response.respondText
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import io.ktor.utils.io.ByteReadChannel
import io.ktor.utils.io.readAvailable
import java.security.MessageDigest
import java.util.HexFormat

private const val PIECE_BYTES = 16 * 1024

/** POST /upload: the SHA-256 of the body and its length, taken piece by piece. */
fun Application.upload() {
    routing { post("/upload") { call.respondText(digest(call.receiveChannel())) } }
}

private suspend fun digest(body: ByteReadChannel): String {
    val sha256 = MessageDigest.getInstance("SHA-256")
    val piece = ByteArray(PIECE_BYTES)
    var length = 0L
    while (true) {
        val read = body.readAvailable(piece)
        if (read < 0) break
        sha256.update(piece, 0, read)
        length += read
    }
    return "sha256:${HexFormat.of().formatHex(sha256.digest())} $length"
}
