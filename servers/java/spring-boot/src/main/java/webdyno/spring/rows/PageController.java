package webdyno.spring.rows;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** GET /page: the table articles, rendered by Thymeleaf. */
@Controller
@Profile("page")
class PageController {
    private static final String SELECT =
            "SELECT title, author, summary FROM articles ORDER BY number";

    private final JdbcClient database;

    PageController(JdbcClient database) {
        this.database = database;
    }

    /** A row of the table articles. */
    record Article(String title, String author, String summary) {}

    @GetMapping("/page")
    String page(Model model) {
        model.addAttribute("articles", read());
        return "page";
    }

    private List<Article> read() {
        return database.sql(SELECT)
                .query((row, number) ->
                        new Article(row.getString(1), row.getString(2), row.getString(3)))
                .list();
    }
}
