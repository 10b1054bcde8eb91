package webdyno.spring.rows

import org.springframework.context.annotation.Profile
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

private const val ROWS = 10_000

/** GET /queries?n=N: N rows that are drawn, each by a query of its own. */
@RestController
@Profile("queries")
class QueriesController(private val worlds: WorldRepository) {
    @GetMapping("/queries")
    suspend fun queries(@RequestParam(defaultValue = "1") n: String): List<World> =
        drawIds(ROWS).take(clamped(n)).toList().map { worlds.find(it) }
}
