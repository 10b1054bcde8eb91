"""Hashes a file again and again."""
