package webdyno.micronaut.sessions;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;

/** A row of the table usersessions: the session's id, and what it holds as JSON. */
@MappedEntity("usersessions")
record UserSession(@Id String uid, String data) {}
