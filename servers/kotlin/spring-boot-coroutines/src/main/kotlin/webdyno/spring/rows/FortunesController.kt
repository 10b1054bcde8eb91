package webdyno.spring.rows

import kotlinx.coroutines.flow.toList
import org.springframework.context.annotation.Profile
import org.springframework.http.HttpStatus
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.flow
import org.springframework.stereotype.Controller
import org.springframework.ui.Model
import org.springframework.ui.set
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.server.ResponseStatusException

/** A row of the table fortune. */
data class Fortune(val id: Int, val message: String)

/** GET /fortunes?added=TEXT: the table fortune and one row more, rendered by Thymeleaf. */
@Controller
@Profile("fortunes")
class FortunesController(private val database: DatabaseClient) {
    @GetMapping("/fortunes")
    suspend fun fortunes(@RequestParam added: String, model: Model): String {
        if (added.isEmpty()) {
            throw ResponseStatusException(HttpStatus.BAD_REQUEST, "added must be a text")
        }
        model["fortunes"] = (read() + Fortune(0, added)).sortedBy { it.message }
        return "fortunes"
    }

    private suspend fun read(): List<Fortune> =
        database.sql("SELECT id, message FROM fortune")
            .map { row -> Fortune(row.integer("id"), row.text("message")) }
            .flow()
            .toList()
}
