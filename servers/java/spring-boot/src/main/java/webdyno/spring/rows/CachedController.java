package webdyno.spring.rows;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** GET /cached?n=N: N rows that are drawn, from Spring's cache. */
@RestController
@Profile("cached")
class CachedController {
    private static final int ROWS = 100;

    private final WorldRepository worlds;

    CachedController(WorldRepository worlds) {
        this.worlds = worlds;
    }

    @GetMapping("/cached")
    List<World> cached(@RequestParam(defaultValue = "1") String n) {
        return Stream.generate(() -> worlds.findCached(Rows.drawId(ROWS)))
                .limit(Rows.clamped(n))
                .toList();
    }
}
