"""Counts the visits of a session."""
