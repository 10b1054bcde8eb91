"""What a server can still see of the difference between its proof and its load."""
