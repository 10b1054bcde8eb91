package webdyno.micronaut.rows;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;

/** A row of the table fortune. */
@MappedEntity
public record Fortune(@Id int id, String message) {}
