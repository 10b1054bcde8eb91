package webdyno.micronaut.blog;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.views.View;
import java.util.List;
import java.util.Map;
import webdyno.micronaut.blog.Blog.Article;

/** GET /blog: a page of posts that are drawn, rendered by Thymeleaf. */
@Controller
@Requires(property = "webdyno.scenario", value = "blog")
final class BlogController {
    private final Blog blog;

    BlogController(Blog blog) {
        this.blog = blog;
    }

    @Get(uri = "/blog", produces = MediaType.TEXT_HTML)
    @View("blog")
    Map<String, List<Article>> page() {
        return Map.of("articles", blog.draw());
    }
}
