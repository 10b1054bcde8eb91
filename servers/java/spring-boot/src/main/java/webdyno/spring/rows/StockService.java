package webdyno.spring.rows;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Counts rows of the table stock. */
@Service
@Profile("updates")
class StockService {
    private static final int ROWS = 10_000;
    private static final String LOCK = "SELECT quantity FROM stock WHERE id = ? FOR UPDATE";
    private static final String WRITE = "UPDATE stock SET quantity = ? WHERE id = ?";

    private final JdbcTemplate database;

    StockService(JdbcTemplate database) {
        this.database = database;
    }

    /** Counts different rows up by one. */
    @Transactional
    public List<Item> count(int rows) {
        // Rows that are always locked in the same order cannot make two transactions wait for each
        // other.
        List<Item> items = ThreadLocalRandom.current().ints(1, ROWS + 1).distinct().limit(rows)
                .sorted()
                .mapToObj(this::counted)
                .toList();
        database.batchUpdate(WRITE, items, items.size(), (write, item) -> {
            write.setInt(1, item.quantity());
            write.setInt(2, item.id());
        });
        return items;
    }

    private Item counted(int id) {
        int held = database.queryForObject(LOCK, Integer.class, id);
        return new Item(id, held + 1);
    }
}
