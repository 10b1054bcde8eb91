package webdyno.micronaut.rows;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** GET /cached?n=N: N rows that are drawn, from Micronaut's cache. */
@Controller
@Requires(property = "webdyno.scenario", value = "cached")
final class CachedController {
    private static final int ROWS = 100;

    private final CachedWorlds worlds;

    CachedController(CachedWorlds worlds) {
        this.worlds = worlds;
    }

    @ExecuteOn(TaskExecutors.BLOCKING)
    @Get("/cached")
    List<World> cached(@QueryValue(defaultValue = "1") String n) {
        return Rows.drawIds(ROWS).limit(Rows.clamped(n)).mapToObj(worlds::find).toList();
    }
}
