package webdyno.ktor

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.JdbcTransaction
import org.jetbrains.exposed.v1.jdbc.transactions.transaction

/** To the PostgreSQL that the environment names. */
fun postgresql(): Database {
    val address = "${required("PGHOST")}:${required("PGPORT")}/${required("PGDATABASE")}"
    return pooled("jdbc:postgresql://$address", required("PGUSER"), optional("PGPASSWORD", ""))
}

/** To the MariaDB or MySQL that the environment names; statements are prepared on the server. */
fun mariadb(): Database {
    val address = "${required("MYSQL_HOST")}:${required("MYSQL_PORT")}/${required("MYSQL_DATABASE")}"
    val url = "jdbc:mariadb://$address?useServerPrepStmts=true"
    return pooled(url, required("MYSQL_USER"), optional("MYSQL_PASSWORD", ""))
}

/** What `statements` do in a transaction, away from the engine's threads: JDBC blocks. */
suspend fun <T> Database.query(statements: JdbcTransaction.() -> T): T =
    withContext(Dispatchers.IO) { transaction(this@query, statement = statements) }

private fun pooled(url: String, user: String, password: String): Database {
    val config =
        HikariConfig().apply {
            jdbcUrl = url
            username = user
            this.password = password
            maximumPoolSize = optional("WEBDYNO_POOL", "16").toInt()
            // As Exposed wants them, so that it need not set them in each transaction.
            isAutoCommit = false
            transactionIsolation = "TRANSACTION_READ_COMMITTED"
        }
    return Database.connect(HikariDataSource(config))
}
