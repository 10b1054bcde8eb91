package webdyno.quarkus.rows;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of the table articles. */
@Entity
@Table(name = "articles")
public class Article extends PanacheEntityBase {
    @Id
    public int number;

    public String title;

    public String author;

    public String summary;
}
