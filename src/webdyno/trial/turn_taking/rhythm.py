"""The turns of a load, made once more while its server is verified.

A server that compares clocks sees that it is frozen between the slices of its load. It could be
honest whenever it has been awake for longer than a slice, and so in every verification.
"""

from __future__ import annotations

import math
import secrets
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from webdyno.generators.generator import LoadInSlices
from webdyno.trial.turn_taking.slices import Freezable, turn
from webdyno.verifier.awake import AwakeClock

MOST_FROZEN_S = 4.0
"""How long a server stands still in all while it is verified, before pauses are cut to a turn:
where many servers took turns, each waited for all the others."""

_OVERHEAD_S = 0.1
"""How much longer a pause may take on a busy machine."""

_MEDIANS = 3.0
"""A pause longer than so many usual ones is left out: another server was being started or ended."""


class Rhythm(AwakeClock):
    """Freezes and thaws a server as its load did: awake for `turn_s` seconds, then frozen for one
    of `pauses_s`, drawn by lot from those of the load. Its clock goes on only while it is awake."""

    def __init__(self, process: Freezable, turn_s: float, pauses_s: Sequence[float]) -> None:
        """Of the server in `process`. At least one pause must be given."""
        self._process, self._turn_s = process, turn_s
        most_s = _MEDIANS * statistics.median(pauses_s)
        self._pauses_s = [one for one in pauses_s if one <= most_s]
        self._lot = secrets.SystemRandom()
        self._changed = threading.Condition()
        self._still: list[tuple[float, float]] = []
        """From when to when it stood still, by `time.monotonic`; infinity while it does."""
        self._frozen_s = 0.0

    @contextmanager
    def kept(self, load: LoadInSlices) -> Iterator[None]:
        """For the length of the block, the server has turns of `load`; it is awake after it. The
        first turn, in which connections are opened, is over when the block begins.

        Raises what `load` raises: instead of the block in the first turn, else at its end.
        """
        over, opened = threading.Event(), threading.Event()
        failed: list[Exception] = []

        def go_round() -> None:
            try:
                while not over.wait(self._pause_s()):
                    turn(self._process, load, self._turn_s, self._note_awake)
                    self._note_still()
                    opened.set()
            except Exception as error:
                failed.append(error)
            finally:
                self._process.thaw()
                self._note_awake()
                opened.set()

        self._process.freeze()
        self._process.hold()
        self._note_still()
        going = threading.Thread(target=go_round, name="rhythm", daemon=True)
        going.start()
        try:
            opened.wait()
            if not failed:
                yield
        finally:
            over.set()
            going.join()
        if failed:
            raise failed[0]

    def told(self) -> str:
        """How it goes, in words."""
        least, most = min(self._pauses_s), max(self._pauses_s)
        return f"awake for {self._turn_s:.2g} s, then frozen for {least:.2g} to {most:.2g} s"

    def now(self) -> float:
        """See `AwakeClock`."""
        with self._changed:
            return self._now()

    def _now(self) -> float:
        at = time.monotonic()
        since_s = self._still[-1][0] if self._is_still() else at
        return min(at, since_s) - self._frozen_s

    def sleep(self, seconds: float) -> None:
        """See `AwakeClock`."""
        with self._changed:
            ends = self._now() + seconds
            while (left_s := ends - self._now()) > 0:
                self._changed.wait(None if self._is_still() else left_s)

    def longest_s(self, awake_s: float) -> float:
        """See `AwakeClock`."""
        pauses = math.floor(awake_s / self._turn_s) + 2
        return awake_s + pauses * (max(self._pauses_s) + _OVERHEAD_S)

    def stood_still(self, since_s: float, until_s: float) -> bool:
        """See `AwakeClock`."""
        with self._changed:
            return any(begin <= until_s and end >= since_s for begin, end in self._still)

    def _pause_s(self) -> float:
        pause_s = self._lot.choice(self._pauses_s)
        return min(pause_s, self._turn_s) if self._frozen_s > MOST_FROZEN_S else pause_s

    def _is_still(self) -> bool:
        return bool(self._still) and self._still[-1][1] == math.inf

    def _note_still(self) -> None:
        with self._changed:
            if not self._is_still():
                self._still.append((time.monotonic(), math.inf))

    def _note_awake(self) -> None:
        with self._changed:
            if self._is_still():
                since_s, now = self._still[-1][0], time.monotonic()
                self._still[-1] = (since_s, now)
                self._frozen_s += now - since_s
            self._changed.notify_all()
