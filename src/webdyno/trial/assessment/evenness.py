"""What is said of a server that serves some connections before others."""

from __future__ import annotations

from webdyno.generators.result import LoadResult
from webdyno.generators.spread import STARVED, UNEVEN
from webdyno.store.records import FlagRecord

_REMEDIES = {
    STARVED: "only the others were really loaded: serve all alike, or use fewer connections",
    UNEVEN: "the median latency is theirs: serve all connections alike",
}


def evenness_flags(result: LoadResult) -> list[FlagRecord]:
    """The flag of a closed load whose answers went to some of its connections only, or mostly: the
    former is not ranked, the latter not by its median latency."""
    if (uneven := result.served_unevenly) is None:
        return []
    return [FlagRecord(code=uneven.fault, message=f"{uneven.words}; {_REMEDIES[uneven.fault]}")]
