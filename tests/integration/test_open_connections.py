"""No connections but the load's are open while a server is warmed up and measured."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from support.witnessed import witnessed

pytestmark = pytest.mark.concurrent

CONNECTIONS = 12


def test_the_warm_up_has_as_many_connections_as_the_load(tmp_path: Path) -> None:
    """Whoever has a worker for each has none to spare; others would tell the two apart."""
    alive: set[int] = set()
    open_at_requests: dict[str, Counter[int]] = defaultdict(Counter)
    for step, event in witnessed("hello", CONNECTIONS, tmp_path):
        if event["event"] == "open":
            alive.add(event["connection"])
        elif event["event"] == "close":
            alive.discard(event["connection"])
        elif event["event"] == "request":
            open_at_requests[step][len(alive)] += 1
    for step in ("warm-up", "measure"):
        ((usual, _),) = open_at_requests[step].most_common(1)
        assert usual == CONNECTIONS, (step, open_at_requests[step])
