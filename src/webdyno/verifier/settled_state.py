"""State that is still moving when a load has ended: what the server had in its queues."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from webdyno.verifier.records import Breakdown

T = TypeVar("T")

QUIET_S = 0.25
"""State is at rest when it has not changed for so long, after a request that queued up behind the
load's was answered."""
REST_WITHIN_S = 60.0
"""How long to wait for that."""


def at_rest(look: Callable[[], T], what: str) -> T:
    """What `look` sees once it sees the same for `QUIET_S`. Raises `Breakdown`, which names `what`
    still changes."""
    ends = time.monotonic() + REST_WITHIN_S
    seen, since = look(), time.monotonic()
    while since <= ends:
        time.sleep(QUIET_S / 5)
        if (now := look()) != seen:
            seen, since = now, time.monotonic()
        elif time.monotonic() >= since + QUIET_S:
            return seen
    raise Breakdown(f"{what} still changed {REST_WITHIN_S:.0f} s after the load")
