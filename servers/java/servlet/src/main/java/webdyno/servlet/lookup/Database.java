package webdyno.servlet.lookup;

import java.sql.Connection;
import java.sql.SQLException;

/** Where a servlet gets its connections from; closing one gives it back. */
@FunctionalInterface
public interface Database {
    Connection connection() throws SQLException;
}
