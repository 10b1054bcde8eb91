package webdyno.quarkus;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** GET /hello: the smallest answer. */
@Path("/hello")
@EndpointDisabled(name = "endpoint.hello", stringValue = "off")
public class HelloResource {
    @GET
    public String hello() {
        return "Hello World";
    }
}
