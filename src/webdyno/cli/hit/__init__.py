"""`webdyno hit`: one URL under load, or two side by side."""

from webdyno.cli.hit.command import hit

__all__ = ["hit"]
