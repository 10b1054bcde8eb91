"""`webdyno list`: what there is, for a reader and as JSON."""

from webdyno.cli.list.command import list_

__all__ = ["list_"]
