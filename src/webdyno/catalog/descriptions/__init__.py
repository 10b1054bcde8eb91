"""`webdyno.toml`: how a service of one's own is built, run, asked and compared."""
