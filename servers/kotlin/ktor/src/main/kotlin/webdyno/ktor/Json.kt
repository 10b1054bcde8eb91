package webdyno.ktor

import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.response.respond
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.random.Random

/** GET /json: ten fresh random numbers, serialised by kotlinx.serialization. */
fun Application.json() {
    install(ContentNegotiation) { json() }
    routing {
        get("/json") {
            call.respond((1..10).associate { "Test Number $it" to Random.nextInt(0, 1001) })
        }
    }
}
