"""Benchmarks of Webdyno itself, side by side with its peers."""
