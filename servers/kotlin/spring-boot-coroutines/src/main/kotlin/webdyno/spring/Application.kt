package webdyno.spring

import kotlin.system.exitProcess
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

@SpringBootApplication
class Application

private val scenarios =
    setOf(
        "hello",
        "middleware",
        "json",
        "blog",
        "sha256",
        "session-counter",
        "page",
        "point-lookup",
        "queries",
        "updates",
        "fortunes",
        "cached",
        "upload",
        "static",
        "stream",
        "sse",
        "websocket-echo",
    )

/** Starts the scenario that WEBDYNO_SCENARIO names: each is a Spring profile of the same name. */
fun main(arguments: Array<String>) {
    val scenario = System.getenv("WEBDYNO_SCENARIO")
    if (scenario !in scenarios) {
        System.err.println("WEBDYNO_SCENARIO is \"$scenario\": expected one of ${scenarios.joinToString()}")
        exitProcess(2)
    }
    runApplication<Application>(*arguments) { setAdditionalProfiles(scenario) }
}
