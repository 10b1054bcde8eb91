"""Levels, differences, slopes and curves, each with its error."""
