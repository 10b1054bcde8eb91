"""How long a server takes for an answer with nothing else to do: what the end of a turn cuts."""

from __future__ import annotations

from webdyno.catalog.load import Closed
from webdyno.generators.result import LoadResult

SECONDS = 0.3
"""How long it is asked."""


def single_user(timeout_s: float) -> Closed:
    """The load of one user, who asks one thing at a time."""
    return Closed(kind="closed", connections=1, duration=SECONDS, threads=1, timeout=timeout_s)


def nearly_all_s(made: LoadResult) -> float:
    """How long 99% of the answers took; all of the load where there was none."""
    return made.latency_us.p99 / 1e6 if made.latency_us is not None else SECONDS
