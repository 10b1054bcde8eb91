"""Whose turn it is on a connection that is kept busy between a verifier's questions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


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
