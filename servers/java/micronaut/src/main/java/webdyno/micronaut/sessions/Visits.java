package webdyno.micronaut.sessions;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Counts visits in the rows of their sessions. */
@Singleton
class Visits {
    private static final Argument<Map<String, Object>> ATTRIBUTES =
            Argument.mapOf(String.class, Object.class);

    private final SessionRepository sessions;
    private final JsonMapper json;

    Visits(SessionRepository sessions, JsonMapper json) {
        this.sessions = sessions;
        this.json = json;
    }

    /** Counts a visit in the row of a session, which the first visit inserts. */
    long count(String uid) throws IOException {
        Optional<UserSession> held = sessions.findById(uid);
        Map<String, Object> attributes = new HashMap<>();
        if (held.isPresent()) {
            attributes.putAll(json.readValue(held.get().data(), ATTRIBUTES));
        }
        Number before = (Number) attributes.getOrDefault("count", 0);
        long count = before.longValue() + 1;
        attributes.put("count", count);
        UserSession session = new UserSession(uid, json.writeValueAsString(attributes));
        if (held.isPresent()) {
            sessions.update(session);
        } else {
            sessions.save(session);
        }
        return count;
    }
}
