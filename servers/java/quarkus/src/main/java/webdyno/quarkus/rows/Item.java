package webdyno.quarkus.rows;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of the table stock. */
@Entity
@Table(name = "stock")
public class Item extends PanacheEntityBase {
    @Id
    public int id;

    public int quantity;
}
