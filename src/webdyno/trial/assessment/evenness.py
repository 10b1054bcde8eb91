"""What is said of a server that serves some connections before others."""

from __future__ import annotations

from webdyno.generators.result import LoadResult
from webdyno.store.records import FlagRecord

STARVED = "starved"
"""A load that was not the one which was asked for: not ranked."""

UNEVEN = "uneven"
"""A median latency of some connections: not ranked by it."""


def evenness_flags(result: LoadResult) -> list[FlagRecord]:
    """The flag of a closed load whose answers went to some of its connections only, or mostly."""
    if (spread := result.served_unevenly) is None:
        return []
    if spread.starves:
        message = (
            f"{spread.words}; the load was that of the others: serve all alike, or use fewer "
            "connections"
        )
        return [FlagRecord(code=STARVED, message=message)]
    message = f"{spread.words}; the median latency is theirs: serve all connections alike"
    return [FlagRecord(code=UNEVEN, message=message)]
