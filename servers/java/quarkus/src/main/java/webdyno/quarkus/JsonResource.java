package webdyno.quarkus;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** GET /json: ten fresh random numbers, serialised by Jackson. */
@Path("/json")
@EndpointDisabled(name = "endpoint.json", stringValue = "off")
public class JsonResource {
    @GET
    public Numbers numbers() {
        return Numbers.draw();
    }
}
