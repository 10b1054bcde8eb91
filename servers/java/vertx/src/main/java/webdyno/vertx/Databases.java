package webdyno.vertx;

import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;

/** Pools of connections, shared by all instances of the verticle. */
final class Databases {
    private Databases() {}

    /** To the MariaDB or MySQL that the environment names. */
    static Pool mysql(Vertx vertx) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(Environment.required("MYSQL_HOST"))
                .setPort(Integer.parseInt(Environment.required("MYSQL_PORT")))
                .setUser(Environment.required("MYSQL_USER"))
                .setPassword(Environment.optional("MYSQL_PASSWORD", ""))
                .setDatabase(Environment.required("MYSQL_DATABASE"));
        options.setCachePreparedStatements(true);
        return MySQLBuilder.pool().with(size()).connectingTo(options).using(vertx).build();
    }

    /** To the PostgreSQL that DATABASE_URL names. */
    static Pool postgresql(Vertx vertx) {
        PgConnectOptions options = PgConnectOptions.fromUri(Environment.required("DATABASE_URL"));
        options.setCachePreparedStatements(true);
        return PgBuilder.pool().with(size()).connectingTo(options).using(vertx).build();
    }

    private static PoolOptions size() {
        int connections = Integer.parseInt(Environment.optional("WEBDYNO_POOL", "16"));
        return new PoolOptions().setMaxSize(connections);
    }
}
