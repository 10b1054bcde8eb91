package webdyno.spring.rows

import org.springframework.context.annotation.Profile
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.jdbc.core.queryForObject
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

private const val ROWS = 10_000

/** A row of the table stock. */
data class Item(val id: Int, val quantity: Int)

/** Counts rows of the table stock. */
@Service
@Profile("updates")
class StockService(private val database: JdbcTemplate) {
    /** Counts different rows up by one. */
    @Transactional
    fun count(rows: Int): List<Item> {
        // Rows that are always locked in the same order cannot make two transactions wait for each other.
        val items = drawIds(ROWS).distinct().take(rows).sorted().map(::counted).toList()
        database.batchUpdate(WRITE, items, items.size) { write, item ->
            write.setInt(1, item.quantity)
            write.setInt(2, item.id)
        }
        return items
    }

    private fun counted(id: Int) = Item(id, database.queryForObject<Int>(LOCK, id)!! + 1)

    private companion object {
        const val LOCK = "SELECT quantity FROM stock WHERE id = ? FOR UPDATE"
        const val WRITE = "UPDATE stock SET quantity = ? WHERE id = ?"
    }
}
