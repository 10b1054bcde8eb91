package webdyno.ktor

import io.ktor.http.CookieEncoding
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.ktor.server.sessions.SessionTransportTransformerMessageAuthentication
import io.ktor.server.sessions.Sessions
import io.ktor.server.sessions.cookie
import io.ktor.server.sessions.get
import io.ktor.server.sessions.sessions
import io.ktor.server.sessions.set
import kotlinx.serialization.Serializable

/** What a session holds. */
@Serializable private data class Visits(val count: Long)

/** GET /: counts the visits of a session. */
fun Application.sessionCounter() {
    val storage = TableSessions(postgresql())
    val secret = required("WEBDYNO_SECRET").toByteArray()
    install(Sessions) {
        cookie<Visits>("session", storage) {
            // Only then is a cookie that makes no sense none, and not an error of ours.
            cookie.encoding = CookieEncoding.RAW
            cookie.extensions["SameSite"] = "lax"
            transform(SessionTransportTransformerMessageAuthentication(secret))
        }
    }
    routing {
        get("/") {
            val count = (call.sessions.get<Visits>()?.count ?: 0) + 1
            call.sessions.set(Visits(count))
            call.respondText("Count is $count")
        }
    }
}
