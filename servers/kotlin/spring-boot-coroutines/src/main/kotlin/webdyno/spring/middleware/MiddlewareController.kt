package webdyno.spring.middleware

import org.springframework.context.annotation.Profile
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** GET /hello behind the filters, and GET /passed, which tells what they counted. */
@RestController
@Profile("middleware")
class MiddlewareController(private val counts: Counts) {
    @GetMapping("/hello", produces = [MediaType.TEXT_PLAIN_VALUE])
    suspend fun hello(): String {
        counts.receive()
        return "Hello World"
    }

    @GetMapping("/passed") suspend fun passed(): Tally = counts.receive()
}
