"""Reading any manifest: TOML into a typed model, and one clear line where it is wrong."""
