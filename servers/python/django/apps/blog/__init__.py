"""Renders pages of random posts."""
