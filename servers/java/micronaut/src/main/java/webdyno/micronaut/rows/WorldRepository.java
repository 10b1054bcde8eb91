package webdyno.micronaut.rows;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;

/** Rows of the table world, each by a query of its own. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface WorldRepository extends GenericRepository<World, Integer> {
    World findById(int id);
}
