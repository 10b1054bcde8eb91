package webdyno.quarkus.rows;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;

/** GET /queries?n=N: N rows that are drawn, each by a query of its own. */
@Path("/queries")
@EndpointDisabled(name = "endpoint.queries", stringValue = "off")
public class QueriesResource {
    private static final int ROWS = 10_000;

    @GET
    public List<World> queries(@RestQuery String n) {
        // Different ids, because the persistence context would answer a repeated one without a query.
        return Rows.drawIds(ROWS)
                .distinct()
                .limit(Rows.clamped(n))
                .mapToObj(id -> World.<World>findById(id))
                .toList();
    }
}
