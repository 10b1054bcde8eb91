package webdyno.spring.sha256

import java.nio.file.Path
import kotlin.io.path.readBytes
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Profile
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException

private val decimalUpTo100000 = Regex("[1-9]\\d{0,4}|100000")

/** GET /benchmark?n=N: the last of N chained SHA-256 digests of a file, read on every request. */
@RestController
@Profile("sha256")
class DigestController(@param:Value("\${WEBDYNO_FILE}") private val file: Path) {
    @GetMapping("/benchmark", produces = [MediaType.TEXT_PLAIN_VALUE])
    fun benchmark(@RequestParam n: String): String {
        if (!decimalUpTo100000.matches(n)) {
            throw ResponseStatusException(HttpStatus.BAD_REQUEST, "n must be an integer from 1 to 100000")
        }
        return digestChain(file.readBytes(), n.toInt())
    }
}
