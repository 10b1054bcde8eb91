package webdyno.quarkus.rows;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A row of the table fortune, or one that a request adds to the page. */
@Entity
public class Fortune extends PanacheEntityBase {
    @Id
    public int id;

    public String message;

    public Fortune() {}

    Fortune(int id, String message) {
        this.id = id;
        this.message = message;
    }
}
