package webdyno.micronaut.rows;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.serde.annotation.Serdeable;

/** A row of the table world. */
@Serdeable
@MappedEntity
record World(@Id int id, @MappedProperty("randomnumber") int randomNumber) {}
