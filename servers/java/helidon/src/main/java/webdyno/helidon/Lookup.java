package webdyno.helidon;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** Finds rows of the table purch_sku_master by their sku_id. */
final class Lookup {
    private static final String SELECT = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";

    private final DataSource database = Databases.mariadb();
    private final List<String> candidates = List.of(Environment.required("WEBDYNO_SKUS").split(","));

    /** One of the ids that a request without one asks for. */
    String draw() {
        return candidates.get(ThreadLocalRandom.current().nextInt(candidates.size()));
    }

    Optional<String> find(String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(SELECT)) {
            statement.setString(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
        }
    }
}
