"""`server.toml` and `language.toml`: programs under test, and how they are built and run."""
