package webdyno.micronaut.sessions;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.CookieValue;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/** GET /: counts the visits of a session, whose id is in a signed cookie. */
@Controller
@Requires(property = "webdyno.scenario", value = "session-counter")
final class VisitController {
    private static final String SESSION = "session";

    private final Visits visits;
    private final Signer signer;

    VisitController(Visits visits, @Value("${webdyno.secret}") String secret) {
        this.visits = visits;
        this.signer = new Signer(secret);
    }

    @ExecuteOn(TaskExecutors.BLOCKING)
    @Get(uri = "/", produces = MediaType.TEXT_PLAIN)
    HttpResponse<String> visit(@Nullable @CookieValue(SESSION) String cookie) throws IOException {
        Optional<String> held = Optional.ofNullable(cookie).flatMap(signer::verified);
        String uid = held.orElseGet(() -> UUID.randomUUID().toString());
        MutableHttpResponse<String> answer = HttpResponse.ok("Count is " + visits.count(uid));
        return held.isPresent() ? answer : answer.cookie(begun(uid));
    }

    private Cookie begun(String uid) {
        return Cookie.of(SESSION, signer.sign(uid))
                .path("/")
                .httpOnly(true)
                .sameSite(SameSite.Lax);
    }
}
