package webdyno.micronaut.rows;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;

/** A row of the table articles. */
@MappedEntity("articles")
public record Article(@Id int number, String title, String author, String summary) {}
