package webdyno.spring.blog

import org.springframework.context.annotation.Profile
import org.springframework.stereotype.Controller
import org.springframework.ui.Model
import org.springframework.ui.set
import org.springframework.web.bind.annotation.GetMapping

/** GET /blog: a page of posts that are drawn, rendered by Thymeleaf. */
@Controller
@Profile("blog")
class BlogController(private val blog: Blog) {
    @GetMapping("/blog")
    suspend fun page(model: Model): String {
        model["articles"] = blog.draw()
        return "blog"
    }
}
