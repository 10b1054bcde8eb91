"""Parts of a load as one: their figures added, and what voids or limits the whole."""
