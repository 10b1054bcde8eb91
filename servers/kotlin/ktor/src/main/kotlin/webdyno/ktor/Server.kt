package webdyno.ktor

import io.ktor.server.application.Application
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import io.ktor.server.netty.NettyApplicationEngine
import kotlin.system.exitProcess

private val scenarios: Map<String, Application.() -> Unit> =
    mapOf(
        "hello" to Application::hello,
        "middleware" to Application::middleware,
        "json" to Application::json,
        "blog" to Application::blog,
        "sha256" to Application::sha256,
        "session-counter" to Application::sessionCounter,
        "point-lookup" to Application::pointLookup,
        "queries" to Application::queries,
        "updates" to Application::updates,
        "fortunes" to Application::fortunes,
        "page" to Application::page,
        "cached" to Application::cached,
        "upload" to Application::upload,
        "static" to Application::static,
        "stream" to Application::stream,
        "websocket-echo" to Application::websocketEcho,
    )

/** Starts the module of the scenario that WEBDYNO_SCENARIO names. */
fun main() {
    val scenario = System.getenv("WEBDYNO_SCENARIO")
    val module =
        scenarios[scenario]
            ?: refuse("WEBDYNO_SCENARIO is \"$scenario\": expected one of ${scenarios.keys.joinToString()}")
    val port = required("PORT").toInt()
    embeddedServer(Netty, configure = { listen(port) }, module = module).start(wait = true)
}

private fun NettyApplicationEngine.Configuration.listen(onPort: Int) {
    connector {
        host = System.getenv("HOST") ?: "127.0.0.1"
        port = onPort
    }
    // For what runs without a connection: at SIGTERM Netty's event loops close all connections before they wait.
    shutdownGracePeriod = 500
    shutdownTimeout = 2_000
}

/** The value of the environment variable `name`, without which the server cannot start. */
fun required(name: String): String = System.getenv(name) ?: refuse("$name is not set")

/** The value of the environment variable `name`, or `otherwise` where it has none. */
fun optional(name: String, otherwise: String): String =
    System.getenv(name).orEmpty().ifEmpty { otherwise }

private fun refuse(message: String): Nothing {
    System.err.println(message)
    exitProcess(2)
}
