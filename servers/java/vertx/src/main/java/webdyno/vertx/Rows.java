package webdyno.vertx;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** What queries, updates, fortunes and page do in the database. */
public final class Rows {
    private static final int ROWS = 10_000;
    private static final int MOST = 500;
    private static final Pattern FEW_DIGITS = Pattern.compile("[0-9]{1,9}");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private static final String READ = "SELECT id, randomnumber FROM world WHERE id = $1";
    private static final String LOCK = "SELECT id, quantity FROM stock WHERE id = $1 FOR UPDATE";
    private static final String WRITE = "UPDATE stock SET quantity = counted.quantity"
            + " FROM unnest($1::int[], $2::int[]) AS counted (id, quantity)"
            + " WHERE stock.id = counted.id";
    private static final String ARTICLES =
            "SELECT title, author, summary FROM articles ORDER BY number";

    private final Pool database;

    Rows(Pool database) {
        this.database = database;
    }

    /** A row of the table world. */
    record World(int id, int randomNumber) {
        JsonObject toJson() {
            return new JsonObject().put("id", id).put("randomNumber", randomNumber);
        }
    }

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
    Future<JsonArray> readWorlds(int count) {
        IntStream ids = ThreadLocalRandom.current().ints(count, 1, ROWS + 1);
        return readWorlds(ids).map(found -> {
            JsonArray worlds = new JsonArray();
            found.forEach(world -> worlds.add(world.toJson()));
            return worlds;
        });
    }

    /** The row of each id in the table world, by a query of its own. */
    Future<List<World>> readWorlds(IntStream ids) {
        return database.withConnection(connection -> each(connection, READ, ids))
                .map(rows -> rows.stream()
                        .map(row -> new World(row.getInteger(0), row.getInteger(1)))
                        .toList());
    }

    /** Counts different rows of the table stock up by one, in a transaction. */
    Future<JsonArray> countItems(int count) {
        // Rows that are always locked in the same order cannot make two transactions wait for each
        // other.
        IntStream ids = ThreadLocalRandom.current().ints(1, ROWS + 1).distinct().limit(count).sorted();
        return database.withTransaction(connection -> each(connection, LOCK, ids).compose(rows -> {
            Integer[] counted = rows.stream().map(row -> row.getInteger(0)).toArray(Integer[]::new);
            Integer[] quantities =
                    rows.stream().map(row -> row.getInteger(1) + 1).toArray(Integer[]::new);
            JsonArray items = new JsonArray();
            for (int place = 0; place < counted.length; place++) {
                items.add(new JsonObject()
                        .put("id", counted[place])
                        .put("quantity", quantities[place]));
            }
            Tuple arrays = Tuple.tuple().addArrayOfInteger(counted).addArrayOfInteger(quantities);
            return connection.preparedQuery(WRITE).execute(arrays).map(items);
        }));
    }

    /** The rows of the table fortune and the one added, sorted by their messages. */
    Future<List<Fortune>> readFortunes(String added) {
        return database.preparedQuery("SELECT id, message FROM fortune").execute().map(rows -> {
            List<Fortune> fortunes = new ArrayList<>();
            fortunes.add(new Fortune(0, added));
            for (Row row : rows) {
                fortunes.add(new Fortune(row.getInteger(0), row.getString(1)));
            }
            fortunes.sort(Comparator.comparing(Fortune::message));
            return fortunes;
        });
    }

    /** The rows of the table articles in the order of their numbers. */
    Future<List<Article>> readArticles() {
        return database.preparedQuery(ARTICLES).execute().map(rows -> {
            List<Article> articles = new ArrayList<>();
            for (Row row : rows) {
                articles.add(new Article(row.getString(0), row.getString(1), row.getString(2)));
            }
            return articles;
        });
    }

    /** The row of each id, by a query of its own; they go out one after the other, in one go. */
    private static Future<List<Row>> each(SqlConnection connection, String select, IntStream ids) {
        PreparedQuery<RowSet<Row>> query = connection.preparedQuery(select);
        List<Future<Row>> found = ids
                .mapToObj(id -> query.execute(Tuple.of(id)).map(rows -> rows.iterator().next()))
                .toList();
        return Future.all(found).map(all -> all.list());
    }
}
