package webdyno.ktor

import kotlinx.serialization.Serializable
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.core.eq
import org.jetbrains.exposed.v1.jdbc.select

/** The table world. */
object Worlds : Table("world") {
    val id = integer("id")
    val randomNumber = integer("randomnumber")
    override val primaryKey = PrimaryKey(id)

    /** The row of an id, by a query of its own; within a transaction. */
    fun find(id: Int): World =
        select(this.id, randomNumber)
            .where { this@Worlds.id eq id }
            .map { World(it[this.id], it[randomNumber]) }
            .single()
}

/** A row of the table world. */
@Serializable data class World(val id: Int, val randomNumber: Int)
