package webdyno.spring.rows

import org.springframework.context.annotation.Profile
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

private const val ROWS = 100

/** GET /cached?n=N: N rows that are drawn, from Spring's cache. */
@RestController
@Profile("cached")
class CachedController(private val worlds: WorldRepository) {
    @GetMapping("/cached")
    suspend fun cached(@RequestParam(defaultValue = "1") n: String): List<World> =
        drawIds(ROWS).take(clamped(n)).toList().map { worlds.findCached(it) }
}
