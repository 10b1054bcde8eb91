package webdyno.quarkus.rows;

import io.quarkus.panache.common.Sort;
import io.quarkus.qute.TemplateInstance;
import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** GET /page: the table articles, rendered by Qute. */
@Path("/page")
@EndpointDisabled(name = "endpoint.page", stringValue = "off")
public class PageResource {
    /** The page: templates/PageResource/news.html. */
    record news(List<Article> articles) implements TemplateInstance {}

    @GET
    @Produces(MediaType.TEXT_HTML)
    @Blocking
    public TemplateInstance page() {
        return new news(Article.listAll(Sort.by("number")));
    }
}
