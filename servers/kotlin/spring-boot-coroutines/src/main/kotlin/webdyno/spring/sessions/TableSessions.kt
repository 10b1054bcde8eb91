package webdyno.spring.sessions

import kotlinx.coroutines.reactor.mono
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.await
import org.springframework.r2dbc.core.awaitSingleOrNull
import org.springframework.session.MapSession
import org.springframework.session.ReactiveSessionRepository
import reactor.core.publisher.Mono
import tools.jackson.databind.json.JsonMapper
import tools.jackson.module.kotlin.readValue
import webdyno.spring.rows.text

/** Keeps sessions in the table usersessions: the id in uid, the attributes as JSON in data. */
class TableSessions(private val database: DatabaseClient, private val json: JsonMapper) :
    ReactiveSessionRepository<MapSession> {

    override fun createSession(): Mono<MapSession> = Mono.fromSupplier(::MapSession)

    override fun save(session: MapSession): Mono<Void> = mono {
        val attributes = session.attributeNames.associateWith { session.getAttribute<Any>(it) }
        database.sql(UPSERT).bind(0, session.id).bind(1, json.writeValueAsString(attributes)).await()
        null
    }

    override fun findById(id: String): Mono<MapSession> = mono {
        val data = database.sql(SELECT).bind(0, id).map { row -> row.text("data") }.awaitSingleOrNull()
        data?.let { held ->
            MapSession(id).apply {
                json.readValue<Map<String, Any>>(held).forEach { (name, value) -> setAttribute(name, value) }
            }
        }
    }

    override fun deleteById(id: String): Mono<Void> = mono {
        database.sql(DELETE).bind(0, id).await()
        null
    }

    private companion object {
        const val SELECT = "SELECT data FROM usersessions WHERE uid = \$1"
        // Spring Session does not say whether it has read the row or is the first to write it.
        const val UPSERT =
            "INSERT INTO usersessions (uid, data) VALUES (\$1, \$2)" +
                " ON CONFLICT (uid) DO UPDATE SET data = excluded.data"
        const val DELETE = "DELETE FROM usersessions WHERE uid = \$1"
    }
}
