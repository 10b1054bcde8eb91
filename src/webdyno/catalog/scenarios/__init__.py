"""`scenario.toml`: the work that servers do, its requests and its parameters."""
