package webdyno.ktor

import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.response.respond
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

private const val ROWS = 10_000

/** GET /queries?n=N: N rows that are drawn, each by a query of its own. */
fun Application.queries() {
    val database = postgresql()
    install(ContentNegotiation) { json() }
    routing {
        get("/queries") {
            val ids = drawIds(ROWS).take(clamped(call.queryParameters["n"]))
            call.respond(database.query { ids.map(Worlds::find).toList() })
        }
    }
}
