"""What proofs under load do to honest servers: whether any is blamed, and what they cost."""
