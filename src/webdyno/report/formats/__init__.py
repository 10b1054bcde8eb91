"""How a run leaves the laboratory: one file a format, for people and for programs."""
