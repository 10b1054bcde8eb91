package webdyno.vertx;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import webdyno.vertx.Rows.World;

/** Rows of the table world, each kept for a time after it was read. */
final class WorldCache {
    private static final int ROWS = 100;

    private final Rows rows;
    private final Cache<Integer, World> kept;

    WorldCache(Rows rows) {
        this.rows = rows;
        long ttlMs = Long.parseLong(Environment.optional("WEBDYNO_TTL_MS", "500"));
        kept = Caffeine.newBuilder().expireAfterWrite(Duration.ofMillis(ttlMs)).build();
    }

    /** Rows that are drawn; those that are not kept are read, each by a query of its own. */
    Future<JsonArray> draw(int count) {
        List<Integer> ids =
                ThreadLocalRandom.current().ints(count, 1, ROWS + 1).boxed().toList();
        Map<Integer, World> found = new HashMap<>(kept.getAllPresent(ids));
        int[] missing = ids.stream().filter(id -> !found.containsKey(id)).distinct()
                .mapToInt(Integer::intValue)
                .toArray();
        if (missing.length == 0) {
            return Future.succeededFuture(inOrder(ids, found));
        }
        return rows.readWorlds(IntStream.of(missing)).map(worlds -> {
            for (World world : worlds) {
                kept.put(world.id(), world);
                found.put(world.id(), world);
            }
            return inOrder(ids, found);
        });
    }

    private static JsonArray inOrder(List<Integer> ids, Map<Integer, World> found) {
        JsonArray worlds = new JsonArray();
        ids.forEach(id -> worlds.add(found.get(id).toJson()));
        return worlds;
    }
}
