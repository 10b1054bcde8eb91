"""The database below a store: how it is reached, its tables, and their newest form."""
