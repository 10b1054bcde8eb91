"""This process's share of the database connections."""

import os


def connections() -> int:
    """How many connections this process may hold: all workers together hold WEBDYNO_POOL."""
    return max(1, int(os.environ.get("WEBDYNO_POOL", "16")) // int(os.environ["WEB_CONCURRENCY"]))
