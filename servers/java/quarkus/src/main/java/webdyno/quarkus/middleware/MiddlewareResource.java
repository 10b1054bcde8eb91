package webdyno.quarkus.middleware;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** GET /hello behind the filters, and GET /passed, which tells what they counted. */
@Path("/")
@EndpointDisabled(name = "endpoint.middleware", stringValue = "off")
public class MiddlewareResource {
    @Inject
    Counts counts;

    @GET
    @Path("hello")
    public String hello() {
        counts.receive();
        return "Hello World";
    }

    @GET
    @Path("passed")
    public Counts.Tally passed() {
        return counts.receive();
    }
}
