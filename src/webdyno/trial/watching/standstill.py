"""Whether a server stands still while others have their turns, and is left alone.

A control group holds it then. Where none may be written it was sent SIGSTOP, which is undone by a
timer that sends SIGCONT: it would work in the others' turns, or take their core.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.process import ManagedProcess
from webdyno.store.records import FlagRecord
from webdyno.trial.turn_taking.neighbours import Neighbour, Neighbours, flags_of

WORKED = "worked-while-frozen"

EACH_S, TIMES = 0.002, 2
"""CPU time that a server used while it was to stand still, from which on it did not, and how often
it has to: one that the kernel kept from stopping goes on once, for a moment ..."""
LEAST_S, PART = 0.02, 0.01
"""... and altogether, in seconds and as a part of the time that others had."""


class Standstill:
    """What a server used while it was frozen, and who connected to it. Call `end` at last."""

    def __init__(self, process: ManagedProcess, one: Neighbour, among: Neighbours) -> None:
        """The server runs in `process`, and is `one` among those that take turns."""
        self._one, self._among = one, among
        among.meet(one)
        self._clock = None if process.is_held_by_a_group else TreeClock(process.pid)
        self._over = 0
        self._used_s = self._others_s = 0.0

    @contextmanager
    def watched(self, *, turns: bool = True) -> Iterator[None]:
        """The server is frozen, and stays so in the block: for others' `turns`, or until they have
        started, which may take as long as it likes."""
        self._among.stands(self._one)
        with self._timed(turns):
            yield
        self._among.goes_on(self._one)

    @contextmanager
    def _timed(self, turns: bool) -> Iterator[None]:
        if self._clock is None or not turns:
            yield
            return
        began, before_s = time.monotonic(), self._clock.seconds()
        yield
        used_s = self._clock.seconds() - before_s
        self._others_s += time.monotonic() - began
        self._used_s += used_s
        self._over += used_s > EACH_S

    def is_done(self) -> None:
        """The server's load is over: who connects to it from now on does no harm to it."""
        self._one.is_done = True

    def end(self) -> None:
        """It takes no more turns."""
        self._among.leave(self._one)

    def flags(self) -> list[FlagRecord]:
        """That it went on, that others connected to it, or it to others."""
        return self._went_on() + flags_of(self._one)

    def _went_on(self) -> list[FlagRecord]:
        most_s = max(LEAST_S, PART * self._others_s)
        if self._over < TIMES or self._used_s <= most_s:
            return []
        message = (
            f"it used {1000 * self._used_s:.0f} ms of CPU time while it was stopped (SIGSTOP) for "
            "others' turns; send it no SIGCONT"
        )
        return [FlagRecord(code=WORKED, message=message)]
