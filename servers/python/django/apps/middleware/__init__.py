"""Greets behind middlewares that count."""
