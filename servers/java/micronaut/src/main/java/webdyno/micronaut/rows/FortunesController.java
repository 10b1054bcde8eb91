package webdyno.micronaut.rows;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.views.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** GET /fortunes?added=TEXT: the table fortune and one row more, rendered by Thymeleaf. */
@Controller
@Requires(property = "webdyno.scenario", value = "fortunes")
final class FortunesController {
    private final FortuneRepository table;

    FortunesController(FortuneRepository table) {
        this.table = table;
    }

    @ExecuteOn(TaskExecutors.BLOCKING)
    @Get(uri = "/fortunes", produces = MediaType.TEXT_HTML)
    @View("fortunes")
    Map<String, List<Fortune>> fortunes(@QueryValue(defaultValue = "") String added) {
        if (added.isEmpty()) {
            throw new HttpStatusException(HttpStatus.BAD_REQUEST, "added must be a text");
        }
        List<Fortune> fortunes = new ArrayList<>(table.findAll());
        fortunes.add(new Fortune(0, added));
        fortunes.sort(Comparator.comparing(Fortune::message));
        return Map.of("fortunes", fortunes);
    }
}
