package webdyno.micronaut.rows;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** POST /updates?n=N: counts N rows that are drawn. */
@Controller
@Requires(property = "webdyno.scenario", value = "updates")
final class UpdatesController {
    private final StockService stock;

    UpdatesController(StockService stock) {
        this.stock = stock;
    }

    @ExecuteOn(TaskExecutors.BLOCKING)
    @Post("/updates")
    List<Item> updates(@QueryValue(defaultValue = "1") String n) {
        return stock.count(Rows.clamped(n));
    }
}
