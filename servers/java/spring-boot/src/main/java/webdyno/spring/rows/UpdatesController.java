package webdyno.spring.rows;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** POST /updates?n=N: counts N rows that are drawn. */
@RestController
@Profile("updates")
class UpdatesController {
    private final StockService stock;

    UpdatesController(StockService stock) {
        this.stock = stock;
    }

    @PostMapping("/updates")
    List<Item> updates(@RequestParam(defaultValue = "1") String n) {
        return stock.count(Rows.clamped(n));
    }
}
