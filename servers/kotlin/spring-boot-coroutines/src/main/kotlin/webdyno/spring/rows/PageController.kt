package webdyno.spring.rows

import kotlinx.coroutines.flow.toList
import org.springframework.context.annotation.Profile
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.flow
import org.springframework.stereotype.Controller
import org.springframework.ui.Model
import org.springframework.ui.set
import org.springframework.web.bind.annotation.GetMapping

/** A row of the table articles. */
data class Article(val title: String, val author: String, val summary: String)

/** GET /page: the table articles, rendered by Thymeleaf. */
@Controller
@Profile("page")
class PageController(private val database: DatabaseClient) {
    @GetMapping("/page")
    suspend fun page(model: Model): String {
        model["articles"] = read()
        return "page"
    }

    private suspend fun read(): List<Article> =
        database.sql("SELECT title, author, summary FROM articles ORDER BY number")
            .map { row -> Article(row.text("title"), row.text("author"), row.text("summary")) }
            .flow()
            .toList()
}
