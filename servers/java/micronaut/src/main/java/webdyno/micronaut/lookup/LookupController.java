package webdyno.micronaut.lookup;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** GET /sku?id=ID: the sku_id of the row with that id; without an id, of one that is drawn. */
@Controller
@Requires(property = "webdyno.scenario", value = "point-lookup")
final class LookupController {
    private final SkuRepository skus;
    private final List<String> candidates;

    LookupController(SkuRepository skus, @Value("${webdyno.skus}") List<String> candidates) {
        this.skus = skus;
        this.candidates = candidates;
    }

    /** Micronaut answers 404 where the result is empty. */
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Get(uri = "/sku", produces = MediaType.TEXT_PLAIN)
    Optional<String> sku(@Nullable @QueryValue String id) {
        return skus.findById(id == null ? draw() : id).map(Sku::skuId);
    }

    private String draw() {
        return candidates.get(ThreadLocalRandom.current().nextInt(candidates.size()));
    }
}
