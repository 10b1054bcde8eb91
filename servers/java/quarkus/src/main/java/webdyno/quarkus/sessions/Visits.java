package webdyno.quarkus.sessions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** Counts visits in the rows of their sessions. */
@ApplicationScoped
public class Visits {
    private final ObjectMapper json;

    Visits(ObjectMapper json) {
        this.json = json;
    }

    /** Counts a visit in the row of a session, which the first visit inserts. */
    @Transactional
    public long count(String uid) throws JsonProcessingException {
        UserSession held = UserSession.findById(uid);
        UserSession session = held == null ? new UserSession() : held;
        ObjectNode data = held == null
                ? json.createObjectNode()
                : json.readValue(held.data, ObjectNode.class);
        long count = data.path("count").asLong() + 1;
        session.data = json.writeValueAsString(data.put("count", count));
        if (held == null) {
            session.uid = uid;
            session.persist();
        }
        return count;
    }
}
