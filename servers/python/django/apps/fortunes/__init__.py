"""Renders the rows of a table as a page."""
