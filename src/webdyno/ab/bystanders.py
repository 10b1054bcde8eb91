"""What other programs take of the machine while two running services are compared.

Neither is frozen nor held to cores of its own, so that a busy program may slow one of them all the
while: no turn and no control tells that from the service's own doing, since A's control is A.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterable

from webdyno.report.numbers import percent
from webdyno.runtime.processes.cpu_time import TreeClock, busy_seconds
from webdyno.verdict.bottleneck import DISTURBED


class Bystanders:
    """Measures the CPU time that neither the services nor this process use."""

    def __init__(self, services: Iterable[int | None]) -> None:
        """`services` are their processes; where one is not known, nothing is told."""
        pids = set(services)
        self._is_known = None not in pids
        # A service may be this process itself.
        others = (pid for pid in pids if pid is not None and pid != os.getpid())
        self._clocks = [TreeClock(pid, refresh_s=0.0) for pid in others]
        self._cpus = sorted(os.sched_getaffinity(0))
        self._shares: list[float] = []

    def begin(self) -> None:
        """A load begins."""
        self._before = self._now()

    def end(self) -> None:
        """It has ended."""
        began, busy, own = self._before
        ended, busy_since, own_since = self._now()
        taken = (busy_since - busy) - (own_since - own)
        self._shares.append(max(0.0, taken / ((ended - began) * len(self._cpus))))

    def told(self) -> str:
        """That they took much of it under most loads; empty where they did not."""
        share = statistics.median(self._shares) if self._shares else 0.0
        if not self._is_known or share < DISTURBED:
            return ""
        return (
            f"other programs used {percent(share)} of the CPUs meanwhile, which may have slowed "
            "one of the two more than the other; compare them on a quieter machine"
        )

    def _now(self) -> tuple[float, float, float]:
        """The time, and the CPU time of all and of those that take part."""
        own = time.process_time() + sum(clock.seconds() for clock in self._clocks)
        # Much of the interrupts is the services' own network traffic.
        return time.monotonic(), busy_seconds(self._cpus, interrupts=False), own
