package webdyno.spring.rows;

/** A row of the table stock. */
record Item(int id, int quantity) {}
