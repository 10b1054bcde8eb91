package webdyno.micronaut.rows;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** Rows of the table articles. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ArticleRepository extends GenericRepository<Article, Integer> {
    List<Article> findAllOrderByNumber();
}
