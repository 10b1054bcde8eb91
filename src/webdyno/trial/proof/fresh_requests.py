"""Requests like the load's for the connections of a proof, none of which is sent twice."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace
from typing import NamedTuple

from webdyno.errors import UserError
from webdyno.generators.drawn import DrawnRequest, draw
from webdyno.generators.job import Job, fresh_seed

_MOST_DRAWN, _MOST_BYTES = 50, 16_000_000
"""Requests that are drawn at once, in half a millisecond, and their bodies: the connections wait
meanwhile, and by a pause a server could know them."""


class Fresh(NamedTuple):
    """A request of the load's."""

    drawn: DrawnRequest
    bytes: bytes
    """As it is sent."""


class FreshRequests:
    """Draws what the load of `job` asks of `host`, for several threads. Values drawn are new each
    time, as the load's are: a server could know a proof by one that it has seen."""

    def __init__(self, job: Job, host: str) -> None:
        self._job, self._host = job, host
        self._left: deque[Fresh] = deque()
        self._lock = threading.Lock()
        largest = max(len(request.body or "") for request in job.scenario.requests)
        self._rounds = max(1, min(_MOST_DRAWN, _MOST_BYTES // max(1, largest)))
        # Those with a HEAD have an answer whose end `exchange` does not know; messages go over
        # connections that the verifier upgrades itself.
        methods = {request.method for request in job.scenario.requests}
        self.any = not job.scenario.websocket and "HEAD" not in methods and self._draw()
        """Whether there are any that may be sent."""

    def next(self) -> Fresh:
        """A request that was not given before, unless nothing in it varies."""
        with self._lock:
            if not self._left:
                self._draw()
            return self._left.popleft()

    def _draw(self) -> bool:
        try:
            drawn = draw(replace(self._job, seed=fresh_seed()), self._rounds)
        except UserError:
            return False  # The manifest's variables are the engine's to refuse.
        self._left.extend(Fresh(one, one.written(self._host)) for one in drawn)
        return True
