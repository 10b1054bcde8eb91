"""Reads rows, each by a query of its own."""
