package webdyno.vertx;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.prng.VertxContextPRNG;
import io.vertx.ext.web.Session;
import io.vertx.ext.web.sstore.AbstractSession;
import io.vertx.ext.web.sstore.SessionStore;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;

/** Keeps Vert.x Web's sessions in the table usersessions: the id in uid, their data as JSON. */
final class TableSessions implements SessionStore {
    private static final String SELECT = "SELECT data FROM usersessions WHERE uid = $1";
    private static final String INSERT = "INSERT INTO usersessions (uid, data) VALUES ($1, $2)";
    private static final String UPDATE = "UPDATE usersessions SET data = $2 WHERE uid = $1";
    private static final String DELETE = "DELETE FROM usersessions WHERE uid = $1";

    private final Pool database;
    private final VertxContextPRNG random;

    TableSessions(Vertx vertx, Pool database) {
        this.database = database;
        random = VertxContextPRNG.current(vertx);
    }

    /** A session that knows whether it has a row. */
    private static final class Row extends AbstractSession {
        private boolean stored;

        Row(VertxContextPRNG random, long timeout, int length) {
            super(random, timeout, length);
        }

        Row(VertxContextPRNG random, String id, JsonObject data) {
            super(random);
            setId(id);
            setData(data);
            stored = true;
        }
    }

    @Override
    public SessionStore init(Vertx vertx, JsonObject options) {
        return this;
    }

    @Override
    public long retryTimeout() {
        return 0; // a row that is not there now will not be there soon
    }

    @Override
    public Session createSession(long timeout) {
        return createSession(timeout, DEFAULT_SESSIONID_LENGTH);
    }

    @Override
    public Session createSession(long timeout, int length) {
        return new Row(random, timeout, length);
    }

    @Override
    public Future<Session> get(String id) {
        return database.preparedQuery(SELECT).execute(Tuple.of(id)).map(rows -> {
            if (rows.size() == 0) {
                return null;
            }
            String data = rows.iterator().next().getString(0);
            return new Row(random, id, new JsonObject(data));
        });
    }

    @Override
    public Future<Void> put(Session session) {
        Row row = (Row) session;
        String statement = row.stored ? UPDATE : INSERT;
        String data = new JsonObject(row.data()).encode();
        return database.preparedQuery(statement).execute(Tuple.of(row.id(), data)).map(written -> {
            row.stored = true;
            return null;
        });
    }

    @Override
    public Future<Void> delete(String id) {
        return database.preparedQuery(DELETE).execute(Tuple.of(id)).mapEmpty();
    }

    @Override
    public Future<Void> clear() {
        return database.query("DELETE FROM usersessions").execute().mapEmpty();
    }

    @Override
    public Future<Integer> size() {
        return database.query("SELECT count(*) FROM usersessions").execute()
                .map(rows -> rows.iterator().next().getInteger(0));
    }

    @Override
    public void close() {
        database.close();
    }
}
