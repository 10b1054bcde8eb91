"""A service on Node.js: its start script, and what that does."""
