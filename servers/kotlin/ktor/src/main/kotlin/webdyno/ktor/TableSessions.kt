package webdyno.ktor

import io.ktor.server.sessions.SessionStorage
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.core.eq
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.deleteWhere
import org.jetbrains.exposed.v1.jdbc.select
import org.jetbrains.exposed.v1.jdbc.upsert

/** The table usersessions: the session's id in uid, what Ktor serialises of it in data. */
private object UserSessions : Table("usersessions") {
    val uid = text("uid")
    val data = text("data")
    override val primaryKey = PrimaryKey(uid)
}

/** Keeps Ktor's sessions in a table. */
class TableSessions(private val database: Database) : SessionStorage {
    override suspend fun read(id: String): String =
        database.query {
            UserSessions.select(UserSessions.data)
                .where { UserSessions.uid eq id }
                .singleOrNull()
                ?.get(UserSessions.data)
        } ?: throw NoSuchElementException("no session $id")

    // Ktor does not say whether it has read the row or is the first to write it.
    override suspend fun write(id: String, value: String) {
        database.query {
            UserSessions.upsert {
                it[uid] = id
                it[data] = value
            }
        }
    }

    override suspend fun invalidate(id: String) {
        database.query { UserSessions.deleteWhere { uid eq id } }
    }
}
