package webdyno.micronaut.rows;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** Rows of the table stock. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface StockRepository extends GenericRepository<Item, Integer> {
    Item findByIdForUpdate(int id);

    /** Writes the rows as a batch. */
    void updateAll(List<Item> items);
}
