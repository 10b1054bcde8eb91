package webdyno.ktor

import io.ktor.server.application.Application
import io.ktor.server.http.content.staticFiles
import io.ktor.server.routing.routing
import java.io.File

/** The files below WEBDYNO_STATIC, each looked up for its request. */
fun Application.static() {
    val folder = File(required("WEBDYNO_STATIC"))
    routing { staticFiles("/", folder, index = null) }
}
