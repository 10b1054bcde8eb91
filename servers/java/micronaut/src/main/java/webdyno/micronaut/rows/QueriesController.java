package webdyno.micronaut.rows;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** GET /queries?n=N: N rows that are drawn, each by a query of its own. */
@Controller
@Requires(property = "webdyno.scenario", value = "queries")
final class QueriesController {
    private static final int ROWS = 10_000;

    private final WorldRepository worlds;

    QueriesController(WorldRepository worlds) {
        this.worlds = worlds;
    }

    @ExecuteOn(TaskExecutors.BLOCKING)
    @Get("/queries")
    List<World> queries(@QueryValue(defaultValue = "1") String n) {
        return Rows.drawIds(ROWS).limit(Rows.clamped(n)).mapToObj(worlds::findById).toList();
    }
}
