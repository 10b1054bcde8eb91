package webdyno.micronaut.lookup;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** Rows of the table purch_sku_master. */
@JdbcRepository(dialect = Dialect.MYSQL)
interface SkuRepository extends GenericRepository<Sku, String> {
    Optional<Sku> findById(String skuId);
}
