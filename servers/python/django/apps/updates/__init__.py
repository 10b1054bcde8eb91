"""Counts rows up."""
