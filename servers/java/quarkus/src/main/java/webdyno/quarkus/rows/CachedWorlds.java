package webdyno.quarkus.rows;

import io.quarkus.cache.CacheResult;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** Rows of the table world, from a cache while it keeps them. */
@ApplicationScoped
public class CachedWorlds {
    /** The row; in a transaction of its own, so that no persistence context holds it any longer. */
    @CacheResult(cacheName = "worlds")
    @Transactional
    public World find(int id) {
        return World.findById(id);
    }
}
