package webdyno.spring.upload

import java.security.MessageDigest
import java.util.HexFormat
import kotlinx.coroutines.reactive.collect
import org.springframework.context.annotation.Profile
import org.springframework.core.io.buffer.DataBuffer
import org.springframework.core.io.buffer.DataBufferUtils
import org.springframework.http.MediaType
import org.springframework.http.server.reactive.ServerHttpRequest
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RestController

/** POST /upload: the SHA-256 of the body and its length, taken piece by piece. */
@RestController
@Profile("upload")
class UploadController {
    @PostMapping("/upload", produces = [MediaType.TEXT_PLAIN_VALUE])
    suspend fun upload(request: ServerHttpRequest): String {
        val sha256 = MessageDigest.getInstance("SHA-256")
        var length = 0L
        request.body.collect { piece ->
            length += piece.readableByteCount()
            sha256.take(piece)
        }
        return "sha256:${HexFormat.of().formatHex(sha256.digest())} $length"
    }

    /** Hashes a piece and gives its memory back. */
    private fun MessageDigest.take(piece: DataBuffer) {
        try {
            piece.readableByteBuffers().use { it.forEach(::update) }
        } finally {
            DataBufferUtils.release(piece)
        }
    }
}
