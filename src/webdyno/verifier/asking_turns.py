"""Whose turn it is on a connection that is kept busy between a verifier's questions."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SWITCH_S = 0.0002
"""How long a thread may keep the others waiting while connections are kept busy."""


class AskingTurns:
    """Of one connection: it carries one exchange at a time, and a question waits for no more than
    the one under way."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._asking = 0

    @contextmanager
    def question(self) -> Iterator[None]:
        """Hold the connection for a question and its answer."""
        with self._changed:
            self._asking += 1
            self._changed.wait_for(lambda: not self._taken)
            self._asking -= 1
            self._taken = True
        with self._held():
            yield

    @contextmanager
    def filler(self) -> Iterator[None]:
        """Hold it for an exchange that keeps it busy, once no question waits."""
        with self._changed:
            self._changed.wait_for(lambda: not self._taken and not self._asking)
            self._taken = True
        with self._held():
            yield

    @contextmanager
    def _held(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()


@contextmanager
def in_short_turns() -> Iterator[None]:
    """For the length of the block, threads do not wait long for each other: one that others keep
    from running is late with its next request, as no thread of the load generator is."""
    before_s = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before_s)
