"""Sends a large answer in pieces."""
