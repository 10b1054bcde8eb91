package webdyno.ktor

import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.response.respond
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.random.Random
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/** GET /json: ten fresh random numbers, serialised by kotlinx.serialization. */
fun Application.json() {
    install(ContentNegotiation) { json() }
    routing {
        get("/json") {
            call.respond(drawNumbers())
        }
    }
}

@Serializable
private data class Numbers(
    @SerialName("Test Number 1") val number1: Int,
    @SerialName("Test Number 2") val number2: Int,
    @SerialName("Test Number 3") val number3: Int,
    @SerialName("Test Number 4") val number4: Int,
    @SerialName("Test Number 5") val number5: Int,
    @SerialName("Test Number 6") val number6: Int,
    @SerialName("Test Number 7") val number7: Int,
    @SerialName("Test Number 8") val number8: Int,
    @SerialName("Test Number 9") val number9: Int,
    @SerialName("Test Number 10") val number10: Int,
)

private fun drawNumbers(): Numbers {
    val number = { Random.nextInt(0, 1001) }
    return Numbers(
        number(), number(), number(), number(), number(),
        number(), number(), number(), number(), number(),
    )
}
