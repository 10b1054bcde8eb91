package webdyno.quarkus.blog;

import io.quarkus.qute.TemplateInstance;
import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import webdyno.quarkus.blog.Blog.Article;

/** GET /blog: a page of posts that are drawn, rendered by Qute. */
@Path("/blog")
@EndpointDisabled(name = "endpoint.blog", stringValue = "off")
public class BlogResource {
    private final Blog blog;

    BlogResource(Blog blog) {
        this.blog = blog;
    }

    /** The page: templates/BlogResource/page.html. */
    record page(List<Article> articles) implements TemplateInstance {}

    @GET
    @Produces(MediaType.TEXT_HTML)
    public TemplateInstance blog() {
        return new page(blog.draw());
    }
}
