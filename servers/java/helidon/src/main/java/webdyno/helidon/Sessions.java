package webdyno.helidon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Counts visits in the table usersessions: the session's id in uid, JSON in data. */
final class Sessions {
    private static final String SELECT = "SELECT data FROM usersessions WHERE uid = ?";
    private static final String INSERT = "INSERT INTO usersessions (data, uid) VALUES (?, ?)";
    private static final String UPDATE = "UPDATE usersessions SET data = ? WHERE uid = ?";

    private final ObjectMapper json = new ObjectMapper();
    private final DataSource database = Databases.postgresql();

    /** Counts a visit in the row of a session, which the first visit inserts. */
    long countVisit(String uid) throws SQLException, JsonProcessingException {
        try (Connection connection = database.getConnection()) {
            String held = read(connection, uid);
            ObjectNode data = held == null
                    ? json.createObjectNode()
                    : json.readValue(held, ObjectNode.class);
            long count = data.path("count").asLong() + 1;
            data.put("count", count);
            String statement = held == null ? INSERT : UPDATE;
            try (PreparedStatement write = connection.prepareStatement(statement)) {
                write.setString(1, json.writeValueAsString(data));
                write.setString(2, uid);
                write.executeUpdate();
            }
            return count;
        }
    }

    /** What the row of a session holds; null where there is none. */
    private static String read(Connection connection, String uid) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setString(1, uid);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }
}
