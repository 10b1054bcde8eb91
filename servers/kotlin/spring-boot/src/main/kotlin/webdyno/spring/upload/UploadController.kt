package webdyno.spring.upload

import java.io.InputStream
import java.security.MessageDigest
import java.util.HexFormat
import org.springframework.context.annotation.Profile
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RestController

private const val PIECE_BYTES = 16 * 1024

/** POST /upload: the SHA-256 of the body and its length, taken piece by piece. */
@RestController
@Profile("upload")
class UploadController {
    @PostMapping("/upload", produces = [MediaType.TEXT_PLAIN_VALUE])
    fun upload(body: InputStream): String {
        val sha256 = MessageDigest.getInstance("SHA-256")
        val piece = ByteArray(PIECE_BYTES)
        var length = 0L
        while (true) {
            val read = body.read(piece)
            if (read < 0) break
            sha256.update(piece, 0, read)
            length += read
        }
        return "sha256:${HexFormat.of().formatHex(sha256.digest())} $length"
    }
}
