package webdyno.ktor

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.core.eq
import org.jetbrains.exposed.v1.jdbc.select

/** What is read of the table purch_sku_master. */
private object Skus : Table("purch_sku_master") {
    val skuId = varchar("sku_id", length = 255)
}

/** GET /sku?id=ID: the sku_id of the row with that id; without an id, of one that is drawn. */
fun Application.pointLookup() {
    val database = mariadb()
    val candidates = required("WEBDYNO_SKUS").split(",")
    routing {
        get("/sku") {
            val id = call.queryParameters["id"] ?: candidates.random()
            val found =
                database.query {
                    Skus.select(Skus.skuId).where { Skus.skuId eq id }.singleOrNull()?.get(Skus.skuId)
                }
            if (found == null) call.respond(HttpStatusCode.NotFound) else call.respondText(found)
        }
    }
}
