package webdyno.spring.rows;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** GET /queries?n=N: N rows that are drawn, each by a query of its own. */
@RestController
@Profile("queries")
class QueriesController {
    private static final int ROWS = 10_000;

    private final WorldRepository worlds;

    QueriesController(WorldRepository worlds) {
        this.worlds = worlds;
    }

    @GetMapping("/queries")
    List<World> queries(@RequestParam(defaultValue = "1") String n) {
        return Stream.generate(() -> worlds.find(Rows.drawId(ROWS))).limit(Rows.clamped(n)).toList();
    }
}
