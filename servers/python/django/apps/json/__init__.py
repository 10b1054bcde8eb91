"""Answers random numbers."""
