package webdyno.quarkus.rows;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A row of the table world. */
@Entity
public class World extends PanacheEntityBase {
    @Id
    public int id;

    @Column(name = "randomnumber")
    public int randomNumber;
}
