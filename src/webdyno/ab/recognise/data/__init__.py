"""The databases of a service, what makes their tables, and what else it needs to be running."""
