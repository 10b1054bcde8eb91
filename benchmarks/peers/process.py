"""Runs programs on a core of their own; what does it belongs to Webdyno itself."""

from webdyno.runtime.pinned import Failed, Finished, run, server

__all__ = ["Failed", "Finished", "run", "server"]
