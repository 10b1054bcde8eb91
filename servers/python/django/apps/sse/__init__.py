"""Pushes events to its clients."""
