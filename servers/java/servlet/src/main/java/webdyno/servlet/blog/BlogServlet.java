package webdyno.servlet.blog;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** GET /blog: five different posts, drawn per request, each with an image drawn for it. */
public final class BlogServlet extends HttpServlet {
    private static final int POSTS_A_PAGE = 5;

    private final TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
    private final List<Post> posts;
    private final List<Image> images;

    /** Reads posts.json and images.json in the folder {@code data}. */
    public BlogServlet(Path data) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        posts = mapper.readValue(data.resolve("posts.json").toFile(), new TypeReference<>() {});
        images = mapper.readValue(data.resolve("images.json").toFile(), new TypeReference<>() {});
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Utf8ByteOutput page = new Utf8ByteOutput();
        templates.render("blog.jte", drawArticles(), page);
        response.setContentType("text/html; charset=utf-8");
        response.setContentLength(page.getContentLength());
        page.writeTo(response.getOutputStream());
    }

    private List<Article> drawArticles() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return random.ints(0, posts.size())
                .distinct()
                .limit(POSTS_A_PAGE)
                .mapToObj(posts::get)
                .map(post -> new Article(post, images.get(random.nextInt(images.size()))))
                .toList();
    }
}
