"""Webdyno's own quality gates, behind `./webdyno test`: which there are, and running them."""
