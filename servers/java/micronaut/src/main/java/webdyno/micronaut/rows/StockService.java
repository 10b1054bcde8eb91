package webdyno.micronaut.rows;

import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.List;

/** Counts rows of the table stock. */
@Singleton
class StockService {
    private static final int ROWS = 10_000;

    private final StockRepository stock;

    StockService(StockRepository stock) {
        this.stock = stock;
    }

    /** Counts different rows up by one. */
    @Transactional
    List<Item> count(int rows) {
        // Rows that are always locked in the same order cannot make two transactions wait for each
        // other.
        List<Item> items = Rows.drawIds(ROWS).distinct().limit(rows).sorted()
                .mapToObj(stock::findByIdForUpdate)
                .map(item -> new Item(item.id(), item.quantity() + 1))
                .toList();
        stock.updateAll(items);
        return items;
    }
}
