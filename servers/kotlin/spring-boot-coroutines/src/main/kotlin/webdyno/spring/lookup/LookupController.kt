package webdyno.spring.lookup

import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Profile
import org.springframework.http.HttpStatus
import org.springframework.http.MediaType
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.awaitSingleOrNull
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException
import webdyno.spring.rows.text

/** GET /sku?id=ID: the sku_id of the row with that id; without an id, of one that is drawn. */
@RestController
@Profile("point-lookup")
class LookupController(
    private val database: DatabaseClient,
    @param:Value("\${WEBDYNO_SKUS}") private val candidates: List<String>,
) {
    @GetMapping("/sku", produces = [MediaType.TEXT_PLAIN_VALUE])
    suspend fun sku(@RequestParam(required = false) id: String?): String =
        database.sql(SELECT)
            .bind(0, id ?: candidates.random())
            .map { row -> row.text("sku_id") }
            .awaitSingleOrNull() ?: throw ResponseStatusException(HttpStatus.NOT_FOUND)

    private companion object {
        const val SELECT = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?"
    }
}
