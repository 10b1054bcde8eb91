"""What a perfect client would measure of the servers of known behaviour."""
