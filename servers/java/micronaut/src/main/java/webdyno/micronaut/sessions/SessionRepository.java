package webdyno.micronaut.sessions;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** Rows of the table usersessions. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface SessionRepository extends GenericRepository<UserSession, String> {
    Optional<UserSession> findById(String uid);

    void save(UserSession session);

    void update(UserSession session);
}
