package webdyno.servlet.lookup;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The two ways of reaching MariaDB: by a pool, and as published. */
public final class Databases {
    private static final String DRIVER = "org.mariadb.jdbc.Driver";

    private Databases() {}

    /** A pool of a fixed number of connections, whose statements are prepared on the server. */
    public static Database pool(String url, String user, String password, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url + "?useServerPrepStmts=true");
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        HikariDataSource pool = new HikariDataSource(config);
        return pool::getConnection;
    }

    /** As it was published: the driver looked up and a connection opened for every request. */
    public static Database connectionPerRequest(String url, String user, String password) {
        return () -> {
            try {
                Class.forName(DRIVER);
            } catch (ClassNotFoundException error) {
                throw new SQLException("no driver " + DRIVER, error);
            }
            return DriverManager.getConnection(url, user, password);
        };
    }
}
