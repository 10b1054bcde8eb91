package webdyno.ktor

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.html.respondHtml
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.html.HTML
import kotlinx.html.body
import kotlinx.html.head
import kotlinx.html.lang
import kotlinx.html.meta
import kotlinx.html.table
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.title
import kotlinx.html.tr
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.jdbc.selectAll

/** The table fortune. */
private object FortuneTable : Table("fortune") {
    val id = integer("id")
    val message = text("message")
}

private data class Fortune(val id: Int, val message: String)

/** GET /fortunes?added=TEXT: the table fortune and one row more, rendered by the HTML DSL. */
fun Application.fortunes() {
    val database = postgresql()
    routing {
        get("/fortunes") {
            val added = call.queryParameters["added"].orEmpty()
            if (added.isEmpty()) {
                call.respondText("added must be a text", status = HttpStatusCode.BadRequest)
                return@get
            }
            val held =
                database.query {
                    FortuneTable.selectAll().map { Fortune(it[FortuneTable.id], it[FortuneTable.message]) }
                }
            val fortunes = (held + Fortune(0, added)).sortedBy { it.message }
            call.respondHtml { page(fortunes) }
        }
    }
}

private fun HTML.page(fortunes: List<Fortune>) {
    lang = "en"
    head {
        meta(charset = "utf-8")
        title("Fortunes")
    }
    body {
        table {
            tr {
                th { +"id" }
                th { +"message" }
            }
            for (fortune in fortunes) {
                tr {
                    td { +fortune.id.toString() }
                    td { +fortune.message }
                }
            }
        }
    }
}
