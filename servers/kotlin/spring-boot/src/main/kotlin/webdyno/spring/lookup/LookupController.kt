package webdyno.spring.lookup

import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Profile
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

/** GET /sku?id=ID: the sku_id of the row with that id; without an id, of one that is drawn. */
@RestController
@Profile("point-lookup")
class LookupController(
    private val database: JdbcClient,
    @param:Value("\${WEBDYNO_SKUS}") private val candidates: List<String>,
) {
    @GetMapping("/sku", produces = [MediaType.TEXT_PLAIN_VALUE])
    fun sku(@RequestParam(required = false) id: String?): ResponseEntity<String> =
        ResponseEntity.of(
            database.sql(SELECT).param(id ?: candidates.random()).query(String::class.java).optional()
        )

    private companion object {
        const val SELECT = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?"
    }
}
