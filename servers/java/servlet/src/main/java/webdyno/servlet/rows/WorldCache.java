package webdyno.servlet.rows;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import webdyno.servlet.rows.Rows.World;

/** Rows of the table world, each kept for a time after it was read. */
public final class WorldCache {
    private static final int ROWS = 100;
    private static final String SELECT = "SELECT id, randomnumber FROM world WHERE id = ?";

    private final DataSource database;
    private final LoadingCache<Integer, World> kept;

    public WorldCache(DataSource database, Duration ttl) {
        this.database = database;
        kept = Caffeine.newBuilder().expireAfterWrite(ttl).build(this::read);
    }

    /** Rows that are drawn; one that is not kept is read by a query of its own. */
    List<World> draw(int count) {
        return ThreadLocalRandom.current().ints(count, 1, ROWS + 1).mapToObj(kept::get).toList();
    }

    private World read(int id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setInt(1, id);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return new World(rows.getInt(1), rows.getInt(2));
            }
        }
    }
}
