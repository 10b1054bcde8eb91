package webdyno.spring

import org.springframework.context.annotation.Profile
import org.springframework.http.MediaType
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** GET /hello: the smallest answer. */
@RestController
@Profile("hello")
class HelloController {
    @GetMapping("/hello", produces = [MediaType.TEXT_PLAIN_VALUE])
    fun hello(): String = "Hello World"
}
