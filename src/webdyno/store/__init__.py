"""Results in a database: every finished trial is stored before the next one starts."""
