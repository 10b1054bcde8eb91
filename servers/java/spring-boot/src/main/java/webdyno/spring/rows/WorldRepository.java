package webdyno.spring.rows;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Rows of the table world, each by a query of its own. */
@Repository
@Profile({"queries", "cached"})
class WorldRepository {
    private static final String SELECT = "SELECT id, randomnumber FROM world WHERE id = ?";

    private final JdbcClient database;

    WorldRepository(JdbcClient database) {
        this.database = database;
    }

    World find(int id) {
        return database.sql(SELECT)
                .param(id)
                .query((row, number) -> new World(row.getInt(1), row.getInt(2)))
                .single();
    }

    /** The row, from the cache of the scenario `cached` while it keeps it. */
    @Cacheable("worlds")
    public World findCached(int id) {
        return find(id);
    }
}
