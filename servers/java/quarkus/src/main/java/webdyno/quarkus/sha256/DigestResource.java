package webdyno.quarkus.sha256;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.RestQuery;

/** GET /benchmark?n=N: the last of N chained SHA-256 digests of a file, read on every request. */
@Path("/benchmark")
@EndpointDisabled(name = "endpoint.sha256", stringValue = "off")
public class DigestResource {
    private static final Pattern DECIMAL_UP_TO_100000 = Pattern.compile("[1-9]\\d{0,4}|100000");

    @ConfigProperty(name = "webdyno.file")
    java.nio.file.Path file;

    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public String benchmark(@RestQuery String n) throws IOException {
        if (n == null || !DECIMAL_UP_TO_100000.matcher(n).matches()) {
            throw new BadRequestException("n must be an integer from 1 to 100000");
        }
        return DigestChain.of(Files.readAllBytes(file), Integer.parseInt(n));
    }
}
