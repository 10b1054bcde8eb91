"""Webdyno: a laboratory that benchmarks web servers and concludes only what the data supports."""

__version__ = "0.1.0"
