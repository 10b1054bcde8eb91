package webdyno.spring.rows

import org.springframework.cache.annotation.Cacheable
import org.springframework.context.annotation.Profile
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Repository

/** A row of the table world. */
data class World(val id: Int, val randomNumber: Int)

/** Rows of the table world, each by a query of its own. */
@Repository
@Profile("queries", "cached")
class WorldRepository(private val database: JdbcClient) {
    fun find(id: Int): World =
        database.sql(SELECT).param(id).query { row, _ -> World(row.getInt(1), row.getInt(2)) }.single()

    /** The row, from the cache of the scenario `cached` while it keeps it. */
    @Cacheable("worlds") fun findCached(id: Int): World = find(id)

    private companion object {
        const val SELECT = "SELECT id, randomnumber FROM world WHERE id = ?"
    }
}
