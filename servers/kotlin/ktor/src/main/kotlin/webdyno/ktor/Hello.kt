package webdyno.ktor

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** GET /hello: the smallest answer. */
fun Application.hello() {
    routing { get("/hello") { call.respondText("Hello World") } }
}
