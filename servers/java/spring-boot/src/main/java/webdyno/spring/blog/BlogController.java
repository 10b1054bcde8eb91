package webdyno.spring.blog;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** GET /blog: a page of posts that are drawn, rendered by Thymeleaf. */
@Controller
@Profile("blog")
class BlogController {
    private final Blog blog;

    BlogController(Blog blog) {
        this.blog = blog;
    }

    @GetMapping("/blog")
    String page(Model model) {
        model.addAttribute("articles", blog.draw());
        return "blog";
    }
}
