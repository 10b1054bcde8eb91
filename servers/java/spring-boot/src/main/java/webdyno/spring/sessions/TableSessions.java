package webdyno.spring.sessions;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.session.MapSession;
import org.springframework.session.SessionRepository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Keeps sessions in the table usersessions: the id in uid, the attributes as JSON in data. */
class TableSessions implements SessionRepository<TableSession> {
    private static final String SELECT = "SELECT data FROM usersessions WHERE uid = ?";
    // Spring Session does not say whether it has read the row or is the first to write it.
    private static final String UPSERT = "INSERT INTO usersessions (uid, data) VALUES (?, ?)"
            + " ON CONFLICT (uid) DO UPDATE SET data = excluded.data";
    private static final String DELETE = "DELETE FROM usersessions WHERE uid = ?";

    private static final TypeReference<Map<String, Object>> ATTRIBUTES = new TypeReference<>() {};

    private final JdbcClient database;
    private final JsonMapper json;

    TableSessions(JdbcClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    @Override
    public TableSession createSession() {
        return TableSession.begun();
    }

    @Override
    public void save(TableSession session) {
        if (!session.isChanged()) {
            return;
        }
        Map<String, Object> attributes = session.getAttributeNames().stream()
                .collect(Collectors.toMap(Function.identity(), session::getRequiredAttribute));
        database.sql(UPSERT).params(session.getId(), json.writeValueAsString(attributes)).update();
        session.written();
    }

    @Override
    public TableSession findById(String id) {
        Optional<String> data = database.sql(SELECT).param(id).query(String.class).optional();
        if (data.isEmpty()) {
            return null;
        }
        MapSession session = new MapSession(id);
        json.readValue(data.get(), ATTRIBUTES).forEach(session::setAttribute);
        return TableSession.read(session);
    }

    @Override
    public void deleteById(String id) {
        database.sql(DELETE).param(id).update();
    }
}
