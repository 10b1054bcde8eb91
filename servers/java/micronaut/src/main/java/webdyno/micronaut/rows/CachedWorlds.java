package webdyno.micronaut.rows;

import io.micronaut.cache.annotation.Cacheable;
import jakarta.inject.Singleton;

/** Rows of the table world, from a cache while it keeps them. */
@Singleton
class CachedWorlds {
    private final WorldRepository worlds;

    CachedWorlds(WorldRepository worlds) {
        this.worlds = worlds;
    }

    @Cacheable("worlds")
    World find(int id) {
        return worlds.findById(id);
    }
}
