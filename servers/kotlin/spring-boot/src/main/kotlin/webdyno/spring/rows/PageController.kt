package webdyno.spring.rows

import org.springframework.context.annotation.Profile
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Controller
import org.springframework.ui.Model
import org.springframework.ui.set
import org.springframework.web.bind.annotation.GetMapping

/** A row of the table articles. */
data class Article(val title: String, val author: String, val summary: String)

/** GET /page: the table articles, rendered by Thymeleaf. */
@Controller
@Profile("page")
class PageController(private val database: JdbcClient) {
    @GetMapping("/page")
    fun page(model: Model): String {
        model["articles"] = read()
        return "page"
    }

    private fun read(): List<Article> =
        database.sql("SELECT title, author, summary FROM articles ORDER BY number")
            .query { row, _ -> Article(row.getString(1), row.getString(2), row.getString(3)) }
            .list()
}
