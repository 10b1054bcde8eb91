"""Reads rows through Django's cache."""
