"""Several runs: whether they may be compared, what changed between two, and over time."""
