package webdyno.quarkus.sessions;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of the table usersessions: the session's id, and what it holds as JSON. */
@Entity
@Table(name = "usersessions")
public class UserSession extends PanacheEntityBase {
    @Id
    public String uid;

    public String data;
}
