package webdyno.micronaut.rows;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;

/** A row of the table stock. */
@Serdeable
@MappedEntity("stock")
record Item(@Id int id, int quantity) {}
