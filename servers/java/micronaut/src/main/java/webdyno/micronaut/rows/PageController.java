package webdyno.micronaut.rows;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.views.View;
import java.util.List;
import java.util.Map;

/** GET /page: the table articles, rendered by Thymeleaf. */
@Controller
@Requires(property = "webdyno.scenario", value = "page")
final class PageController {
    private final ArticleRepository table;

    PageController(ArticleRepository table) {
        this.table = table;
    }

    @ExecuteOn(TaskExecutors.BLOCKING)
    @Get(uri = "/page", produces = MediaType.TEXT_HTML)
    @View("page")
    Map<String, List<Article>> page() {
        return Map.of("articles", table.findAllOrderByNumber());
    }
}
