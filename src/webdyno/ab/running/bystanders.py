"""What other programs take of the machine while two running services are compared.

Neither is frozen nor held to cores of its own, so that a busy program may slow one of them all the
while: no turn and no control tells that from the service's own doing, since A's control is A.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterable

from webdyno.runtime.machine.core_seconds import CoreSeconds, core_seconds
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.verdict.limits.limit import DISTURBED, taken_words


class Bystanders:
    """Measures the CPU time that neither the services nor this process use, and what the host of a
    virtual machine takes."""

    def __init__(self, services: Iterable[int | None]) -> None:
        """`services` are their processes; where one is not known, nothing is told."""
        pids = set(services)
        self._is_known = None not in pids
        # A service may be this process itself.
        others = (pid for pid in pids if pid is not None and pid != os.getpid())
        self._clocks = [TreeClock(pid, refresh_s=0.0) for pid in others]
        self._cpus = sorted(os.sched_getaffinity(0))
        self._others: list[float] = []
        self._stolen: list[float] = []

    def begin(self) -> None:
        """A load begins."""
        self._before = self._now()

    def end(self) -> None:
        """It has ended."""
        began, before, own = self._before
        ended, now, own_since = self._now()
        if before is None or now is None:
            return
        left = now.since(before).without(own_since - own)
        core_s = (ended - began) * len(self._cpus)
        self._stolen.append(left.stolen / core_s)
        self._others.append((left.busy - left.stolen) / core_s)

    def caution(self) -> str:
        """That they, or the host of this virtual machine, took much of it under most loads; empty
        where they did not."""
        others, stolen = (
            statistics.median(shares) if shares else 0.0 for shares in (self._others, self._stolen)
        )
        if not self._is_known or others + stolen < DISTURBED:
            return ""
        return (
            f"{taken_words(others, stolen, 'the CPUs')} meanwhile, which may have slowed "
            "one of the two more than the other; compare them on a quieter machine"
        )

    def _now(self) -> tuple[float, CoreSeconds | None, float]:
        """The time, and the CPU time of all and of those that take part."""
        own = time.process_time() + sum(clock.seconds() for clock in self._clocks)
        # Much of the interrupts is the services' own network traffic.
        return time.monotonic(), core_seconds(self._cpus, interrupts=False), own
