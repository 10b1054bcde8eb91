"""Benchmarks of Webdyno itself, side by side with other load generators."""
