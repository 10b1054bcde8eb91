package webdyno.ktor

import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.response.respond
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import kotlinx.serialization.Serializable
import org.jetbrains.exposed.v1.core.dao.id.EntityID
import org.jetbrains.exposed.v1.core.dao.id.IntIdTable
import org.jetbrains.exposed.v1.core.eq
import org.jetbrains.exposed.v1.core.statements.BatchUpdateStatement
import org.jetbrains.exposed.v1.jdbc.JdbcTransaction
import org.jetbrains.exposed.v1.jdbc.select
import org.jetbrains.exposed.v1.jdbc.statements.toExecutable

private const val ROWS = 10_000

/** The table stock. */
private object Stock : IntIdTable("stock") {
    val quantity = integer("quantity")
}

/** A row of the table stock. */
@Serializable private data class Item(val id: Int, val quantity: Int)

/** POST /updates?n=N: counts N rows that are drawn. */
fun Application.updates() {
    val database = postgresql()
    install(ContentNegotiation) { json() }
    routing {
        post("/updates") {
            val count = clamped(call.queryParameters["n"])
            call.respond(database.query { counted(count) })
        }
    }
}

/** Counts different rows up by one. */
private fun JdbcTransaction.counted(count: Int): List<Item> {
    // Rows that are always locked in the same order cannot make two transactions wait for each other.
    val ids = drawIds(ROWS).distinct().take(count).sorted()
    val items = ids.map { Item(it, locked(it) + 1) }.toList()
    val batch = BatchUpdateStatement(Stock)
    for (item in items) {
        batch.addBatch(EntityID(item.id, Stock))
        batch[Stock.quantity] = item.quantity
    }
    batch.toExecutable().execute(this)
    return items
}

private fun locked(id: Int): Int =
    Stock.select(Stock.quantity).where { Stock.id eq id }.forUpdate().single()[Stock.quantity]
