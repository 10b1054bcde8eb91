package webdyno.spring.rows

import org.springframework.cache.annotation.Cacheable
import org.springframework.context.annotation.Profile
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.awaitSingle
import org.springframework.stereotype.Repository

/** A row of the table world. */
data class World(val id: Int, val randomNumber: Int)

/** Rows of the table world, each by a query of its own. */
@Repository
@Profile("queries", "cached")
class WorldRepository(private val database: DatabaseClient) {
    suspend fun find(id: Int): World =
        database.sql(SELECT)
            .bind(0, id)
            .map { row -> World(row.integer("id"), row.integer("randomnumber")) }
            .awaitSingle()

    /** The row, from the cache of the scenario `cached` while it keeps it. */
    @Cacheable("worlds") suspend fun findCached(id: Int): World = find(id)

    private companion object {
        const val SELECT = "SELECT id, randomnumber FROM world WHERE id = \$1"
    }
}
