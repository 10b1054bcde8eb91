package webdyno.spring

import org.springframework.context.annotation.Profile
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

/** GET /json: ten fresh random numbers, serialised by Jackson. */
@RestController
@Profile("json")
class JsonController {
    @GetMapping("/json")
    fun numbers() = Numbers.draw()
}
