package webdyno.spring.lookup;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** GET /sku?id=ID: the sku_id of the row with that id; without an id, of one that is drawn. */
@RestController
@Profile("point-lookup")
class LookupController {
    private static final String SELECT = "SELECT sku_id FROM purch_sku_master WHERE sku_id = ?";

    private final JdbcClient database;
    private final List<String> candidates;

    LookupController(JdbcClient database, @Value("${WEBDYNO_SKUS}") List<String> candidates) {
        this.database = database;
        this.candidates = candidates;
    }

    @GetMapping(path = "/sku", produces = MediaType.TEXT_PLAIN_VALUE)
    ResponseEntity<String> sku(@RequestParam(required = false) String id) {
        String wanted = id == null ? draw() : id;
        return ResponseEntity.of(
                database.sql(SELECT).param(wanted).query(String.class).optional());
    }

    private String draw() {
        return candidates.get(ThreadLocalRandom.current().nextInt(candidates.size()));
    }
}
