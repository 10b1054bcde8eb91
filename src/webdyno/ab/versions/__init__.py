"""The two versions: what they are called, where their files are, and what is installed in them."""
