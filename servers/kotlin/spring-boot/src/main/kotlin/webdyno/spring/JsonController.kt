package webdyno.spring

import kotlin.random.Random
import org.springframework.context.annotation.Profile
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** GET /json: ten fresh random numbers, serialised by Jackson. */
@RestController
@Profile("json")
class JsonController {
    @GetMapping("/json")
    fun numbers(): Map<String, Int> =
        (1..10).associate { "Test Number $it" to Random.nextInt(0, 1001) }
}
