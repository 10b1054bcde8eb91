package webdyno.ktor

import com.github.benmanes.caffeine.cache.Caffeine
import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.response.respond
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.time.Duration

private const val ROWS = 100

/** GET /cached?n=N: N rows that are drawn, from Caffeine. */
fun Application.cached() {
    val database = postgresql()
    val ttl = Duration.ofMillis(optional("WEBDYNO_TTL_MS", "500").toLong())
    val cache = Caffeine.newBuilder().expireAfterWrite(ttl).build<Int, World>()

    suspend fun find(id: Int): World =
        cache.getIfPresent(id)
            ?: database.query { Worlds.find(id) }.also { cache.put(id, it) }

    install(ContentNegotiation) { json() }
    routing {
        get("/cached") {
            val ids = drawIds(ROWS).take(clamped(call.queryParameters["n"])).toList()
            call.respond(ids.map { find(it) })
        }
    }
}
