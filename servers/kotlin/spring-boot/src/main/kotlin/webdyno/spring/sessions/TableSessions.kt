package webdyno.spring.sessions

import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.session.MapSession
import org.springframework.session.SessionRepository
import tools.jackson.databind.json.JsonMapper
import tools.jackson.module.kotlin.readValue

/** Keeps sessions in the table usersessions: the id in uid, the attributes as JSON in data. */
class TableSessions(private val database: JdbcClient, private val json: JsonMapper) :
    SessionRepository<TableSession> {

    override fun createSession() = TableSession(MapSession(), changed = true)

    override fun save(session: TableSession) {
        if (!session.changed) return
        val attributes = session.attributeNames.associateWith { session.getAttribute<Any>(it) }
        database.sql(UPSERT).params(session.id, json.writeValueAsString(attributes)).update()
        session.changed = false
    }

    override fun findById(id: String): TableSession? =
        database.sql(SELECT).param(id).query(String::class.java).optional().orElse(null)?.let { data ->
            val held = MapSession(id)
            json.readValue<Map<String, Any>>(data).forEach { (name, value) -> held.setAttribute(name, value) }
            TableSession(held, changed = false)
        }

    override fun deleteById(id: String) {
        database.sql(DELETE).param(id).update()
    }

    private companion object {
        const val SELECT = "SELECT data FROM usersessions WHERE uid = ?"
        // Spring Session does not say whether it has read the row or is the first to write it.
        const val UPSERT =
            "INSERT INTO usersessions (uid, data) VALUES (?, ?)" +
                " ON CONFLICT (uid) DO UPDATE SET data = excluded.data"
        const val DELETE = "DELETE FROM usersessions WHERE uid = ?"
    }
}
