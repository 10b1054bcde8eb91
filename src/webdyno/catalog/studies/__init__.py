"""`study.toml` and `published/NAME.toml`: questions, and the figures of others beside them."""
