package webdyno.spring.rows

import org.springframework.context.annotation.Profile
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

/** POST /updates?n=N: counts N rows that are drawn. */
@RestController
@Profile("updates")
class UpdatesController(private val stock: StockService) {
    @PostMapping("/updates")
    suspend fun updates(@RequestParam(defaultValue = "1") n: String): List<Item> = stock.count(clamped(n))
}
