"""What a comparison says of B beside A, and how it is told."""
