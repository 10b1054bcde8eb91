package server

import io.ktor.server.application.Application
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.system.exitProcess

/** The scenario `hello`. Replace it with your framework's. */
private fun Application.hello() {
    routing { get("/hello") { call.respondText("Hello World") } }
}

private val apps: Map<String, Application.() -> Unit> = mapOf("hello" to Application::hello)

fun main() {
    val scenario = System.getenv("WEBDYNO_SCENARIO").orEmpty()
    val app = apps[scenario]
    if (app == null) {
        System.err.println("WEBDYNO_SCENARIO is '$scenario'; one of: ${apps.keys.joinToString()}")
        exitProcess(2)
    }
    val server =
        embeddedServer(
            Netty,
            configure = {
                connector {
                    host = System.getenv("HOST") ?: "127.0.0.1"
                    port = System.getenv("PORT").toInt()
                }
                // On SIGTERM requests in flight may end; what is open after two seconds is cut.
                shutdownGracePeriod = 500
                shutdownTimeout = 2_000
            },
            module = app,
        )
    server.start(wait = true)
}
