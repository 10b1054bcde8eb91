"""Whether a server is warm, and whether it, the machine and each entry stay as they are."""
