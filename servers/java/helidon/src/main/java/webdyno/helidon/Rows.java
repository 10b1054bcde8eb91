package webdyno.helidon;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** What queries, updates, fortunes and page do in the database. */
public final class Rows {
    private static final int ROWS = 10_000;
    private static final int MOST = 500;
    private static final Pattern FEW_DIGITS = Pattern.compile("[0-9]{1,9}");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private static final String READ = "SELECT id, randomnumber FROM world WHERE id = ?";
    private static final String LOCK = "SELECT quantity FROM stock WHERE id = ? FOR UPDATE";
    private static final String WRITE = "UPDATE stock SET quantity = ? WHERE id = ?";
    private static final String ARTICLES =
            "SELECT title, author, summary FROM articles ORDER BY number";

    private final DataSource database = Databases.postgresql();

    /** A row of the table world. */
    public record World(int id, int randomNumber) {}

    /** A row of the table stock. */
    public record Item(int id, int quantity) {}

    /** A row of the table fortune. */
    public record Fortune(int id, String message) {}

    /** A row of the table articles. */
    public record Article(String title, String author, String summary) {}

    /** How many rows a text asks for: 1 to 500. */
    static int clamped(String text) {
        if (text == null || !DIGITS.matcher(text).matches()) {
            return 1;
        }
        boolean few = FEW_DIGITS.matcher(text).matches();
        return few ? Math.max(1, Math.min(Integer.parseInt(text), MOST)) : MOST;
    }

    /** Rows of the table world, each by a query of its own. */
    List<World> readWorlds(int count) throws SQLException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        List<World> worlds = new ArrayList<>(count);
        try (Connection connection = database.getConnection();
                PreparedStatement read = connection.prepareStatement(READ)) {
            for (int number = 0; number < count; number++) {
                read.setInt(1, random.nextInt(1, ROWS + 1));
                try (ResultSet rows = read.executeQuery()) {
                    rows.next();
                    worlds.add(new World(rows.getInt(1), rows.getInt(2)));
                }
            }
        }
        return worlds;
    }

    /** Counts different rows of the table stock up by one, in a transaction. */
    List<Item> countItems(int count) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                List<Item> items = countItems(connection, count);
                connection.commit();
                return items;
            } catch (SQLException error) {
                connection.rollback();
                throw error;
            }
        }
    }

    private static List<Item> countItems(Connection connection, int count) throws SQLException {
        List<Item> items = new ArrayList<>(count);
        // Rows that are always locked in the same order cannot make two transactions wait for each
        // other.
        int[] ids = ThreadLocalRandom.current().ints(1, ROWS + 1).distinct().limit(count).sorted()
                .toArray();
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            for (int id : ids) {
                lock.setInt(1, id);
                try (ResultSet rows = lock.executeQuery()) {
                    rows.next();
                    items.add(new Item(id, rows.getInt(1) + 1));
                }
            }
        }
        try (PreparedStatement write = connection.prepareStatement(WRITE)) {
            for (Item item : items) {
                write.setInt(1, item.quantity());
                write.setInt(2, item.id());
                write.addBatch();
            }
            write.executeBatch();
        }
        return items;
    }

    /** The rows of the table fortune and the one added, sorted by their messages. */
    List<Fortune> readFortunes(String added) throws SQLException {
        List<Fortune> fortunes = new ArrayList<>();
        fortunes.add(new Fortune(0, added));
        try (Connection connection = database.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("SELECT id, message FROM fortune");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                fortunes.add(new Fortune(rows.getInt(1), rows.getString(2)));
            }
        }
        fortunes.sort(Comparator.comparing(Fortune::message));
        return fortunes;
    }

    /** The rows of the table articles in the order of their numbers. */
    List<Article> readArticles() throws SQLException {
        List<Article> articles = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(ARTICLES);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                articles.add(new Article(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
        }
        return articles;
    }
}
