"""Greets."""
