"""Whether a server stands still while others have their turns.

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

WORKED = "worked-while-frozen"

EACH_S, TIMES = 0.002, 2
"""CPU time that a server used while it was to stand still, from which on it did not, and how often
it has to: one that the kernel kept from stopping goes on once, for a moment ..."""
LEAST_S, PART = 0.02, 0.01
"""... and altogether, in seconds and as a part of the time that others had."""


class Standstill:
    """What a server used while it was frozen."""

    def __init__(self, process: ManagedProcess) -> None:
        self._clock = None if process.is_held_by_a_group else TreeClock(process.pid)
        self._over = 0
        self._used_s = self._others_s = 0.0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """The server is frozen, and stays so in the block."""
        if self._clock is None:
            yield
            return
        began, before_s = time.monotonic(), self._clock.seconds()
        yield
        used_s = self._clock.seconds() - before_s
        self._others_s += time.monotonic() - began
        self._used_s += used_s
        self._over += used_s > EACH_S

    def flags(self) -> list[FlagRecord]:
        """That it went on."""
        most_s = max(LEAST_S, PART * self._others_s)
        if self._over < TIMES or self._used_s <= most_s:
            return []
        message = (
            f"it used {1000 * self._used_s:.0f} ms of CPU time while it was stopped (SIGSTOP) for "
            "others' turns; send it no SIGCONT"
        )
        return [FlagRecord(code=WORKED, message=message)]
