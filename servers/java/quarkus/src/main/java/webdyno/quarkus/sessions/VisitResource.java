package webdyno.quarkus.sessions;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.NewCookie;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.RestCookie;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;

/** GET /: counts the visits of a session, whose id is in a signed cookie. */
@Path("/")
@EndpointDisabled(name = "endpoint.session-counter", stringValue = "off")
public class VisitResource {
    private static final String SESSION = "session";

    private final Visits visits;
    private final Signer signer;

    VisitResource(Visits visits, @ConfigProperty(name = "webdyno.secret") String secret) {
        this.visits = visits;
        this.signer = new Signer(secret);
    }

    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public RestResponse<String> visit(@RestCookie(SESSION) String cookie)
            throws JsonProcessingException {
        Optional<String> held = Optional.ofNullable(cookie).flatMap(signer::verified);
        String uid = held.orElseGet(() -> UUID.randomUUID().toString());
        ResponseBuilder<String> answer = ResponseBuilder.ok("Count is " + visits.count(uid));
        return held.isPresent() ? answer.build() : answer.cookie(begun(uid)).build();
    }

    private NewCookie begun(String uid) {
        return new NewCookie.Builder(SESSION)
                .value(signer.sign(uid))
                .path("/")
                .httpOnly(true)
                .sameSite(NewCookie.SameSite.LAX)
                .build();
    }
}
