"""A run while it happens: its progress from its events, in a terminal, a notebook or a log."""
