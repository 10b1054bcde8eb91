package webdyno.ktor

import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.createApplicationPlugin
import io.ktor.server.application.install
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.util.concurrent.atomic.AtomicLong
import kotlinx.serialization.Serializable

/** GET /hello behind as many plugins as wanted, and GET /passed, which tells what they counted. */
fun Application.middleware() {
    val requests = AtomicLong()
    val passed = AtomicLong()
    install(ContentNegotiation) { json() }
    // Ktor's counterpart of a middleware is a plugin, and each has a name of its own.
    repeat(required("WEBDYNO_MIDDLEWARE").toInt()) { number ->
        install(createApplicationPlugin("Counting$number") { onCall { passed.incrementAndGet() } })
    }
    routing {
        get("/hello") {
            requests.incrementAndGet()
            call.respondText("Hello World")
        }
        get("/passed") {
            call.respond(Tally(requests.incrementAndGet(), passed.get()))
        }
    }
}

@Serializable private data class Tally(val requests: Long, val passed: Long)
