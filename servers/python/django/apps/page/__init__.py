"""Renders the front page of a news site."""
