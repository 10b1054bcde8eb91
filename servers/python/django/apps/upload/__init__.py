"""Hashes what is uploaded."""
