package webdyno.ktor

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.io.path.Path
import kotlin.io.path.readBytes
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

private val decimalUpTo100000 = Regex("[1-9]\\d{0,4}|100000")

/** GET /benchmark?n=N: the last of N chained SHA-256 digests of a file, read on every request. */
fun Application.sha256() {
    val file = Path(required("WEBDYNO_FILE"))
    routing {
        get("/benchmark") {
            val n = call.queryParameters["n"].orEmpty()
            if (!decimalUpTo100000.matches(n)) {
                call.respondText("n must be an integer from 1 to 100000", status = HttpStatusCode.BadRequest)
                return@get
            }
            // Neither reading nor hashing may hold up the engine's threads.
            val content = withContext(Dispatchers.IO) { file.readBytes() }
            call.respondText(withContext(Dispatchers.Default) { digestChain(content, n.toInt()) })
        }
    }
}
