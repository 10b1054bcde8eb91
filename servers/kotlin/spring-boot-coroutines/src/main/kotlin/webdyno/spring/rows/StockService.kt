package webdyno.spring.rows

import org.springframework.context.annotation.Profile
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.await
import org.springframework.r2dbc.core.awaitSingle
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

private const val ROWS = 10_000

/** A row of the table stock. */
data class Item(val id: Int, val quantity: Int)

/** Counts rows of the table stock. */
@Service
@Profile("updates")
class StockService(private val database: DatabaseClient) {
    /** Counts different rows up by one. */
    @Transactional
    suspend fun count(rows: Int): List<Item> {
        // Rows that are always locked in the same order cannot make two transactions wait for each other.
        val items = drawIds(ROWS).distinct().take(rows).sorted().toList().map { counted(it) }
        database.sql(WRITE)
            .bind(0, items.map { it.id }.toTypedArray())
            .bind(1, items.map { it.quantity }.toTypedArray())
            .await()
        return items
    }

    private suspend fun counted(id: Int): Item =
        database.sql(LOCK).bind(0, id).map { row -> Item(id, row.integer("quantity") + 1) }.awaitSingle()

    private companion object {
        const val LOCK = "SELECT quantity FROM stock WHERE id = \$1 FOR UPDATE"
        const val WRITE =
            "UPDATE stock SET quantity = counted.quantity" +
                " FROM unnest(\$1::int[], \$2::int[]) AS counted (id, quantity)" +
                " WHERE stock.id = counted.id"
    }
}
