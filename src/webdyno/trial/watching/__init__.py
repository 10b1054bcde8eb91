"""What is seen of a server and its machine while it is under load."""
