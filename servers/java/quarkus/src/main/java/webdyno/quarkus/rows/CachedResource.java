package webdyno.quarkus.rows;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;

/** GET /cached?n=N: N rows that are drawn, from Quarkus's cache. */
@Path("/cached")
@EndpointDisabled(name = "endpoint.cached", stringValue = "off")
public class CachedResource {
    private static final int ROWS = 100;

    private final CachedWorlds worlds;

    CachedResource(CachedWorlds worlds) {
        this.worlds = worlds;
    }

    @GET
    public List<World> cached(@RestQuery String n) {
        return Rows.drawIds(ROWS).limit(Rows.clamped(n)).mapToObj(worlds::find).toList();
    }
}
