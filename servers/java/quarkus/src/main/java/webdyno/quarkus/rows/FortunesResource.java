package webdyno.quarkus.rows;

import io.quarkus.qute.TemplateInstance;
import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;

/** GET /fortunes?added=TEXT: the table fortune and one row more, rendered by Qute. */
@Path("/fortunes")
@EndpointDisabled(name = "endpoint.fortunes", stringValue = "off")
public class FortunesResource {
    /** The page: templates/FortunesResource/page.html. */
    record page(List<Fortune> fortunes) implements TemplateInstance {}

    @GET
    @Produces(MediaType.TEXT_HTML)
    @Blocking
    public TemplateInstance fortunes(@RestQuery String added) {
        if (added == null || added.isEmpty()) {
            throw new BadRequestException("added must be a text");
        }
        List<Fortune> fortunes = new ArrayList<>(Fortune.<Fortune>listAll());
        fortunes.add(new Fortune(0, added));
        fortunes.sort(Comparator.comparing(fortune -> fortune.message));
        return new page(fortunes);
    }
}
