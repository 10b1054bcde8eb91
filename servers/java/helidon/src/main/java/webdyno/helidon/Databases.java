package webdyno.helidon;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import javax.sql.DataSource;

/** Pools of a fixed number of connections. */
final class Databases {
    private Databases() {}

    /** To the MariaDB or MySQL that the environment names; statements are prepared on the server. */
    static DataSource mariadb() {
        String url = "jdbc:mariadb://" + Environment.required("MYSQL_HOST") + ":"
                + Environment.required("MYSQL_PORT") + "/" + Environment.required("MYSQL_DATABASE")
                + "?useServerPrepStmts=true";
        String password = Environment.optional("MYSQL_PASSWORD", "");
        return pool(url, Environment.required("MYSQL_USER"), password);
    }

    /** To the PostgreSQL that DATABASE_URL names. */
    static DataSource postgresql() {
        URI url = URI.create(Environment.required("DATABASE_URL"));
        String[] account = url.getUserInfo().split(":", 2);
        String address = "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath();
        return pool(address, account[0], account.length > 1 ? account[1] : "");
    }

    private static DataSource pool(String url, String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(Integer.parseInt(Environment.optional("WEBDYNO_POOL", "16")));
        return new HikariDataSource(config);
    }
}
