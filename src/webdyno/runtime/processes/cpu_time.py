"""CPU time of a process with all below it.

psutil tells a process's CPU time in ticks of 10 ms, for ten times the cost of its own clock.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from webdyno.runtime.confinement.own_groups import cpu_seconds
from webdyno.runtime.processes.family import account_of, members_of


class TreeClock:
    """CPU time of a process and all below it, for who asks ten times a second.

    Reads the processes' own clocks, which count nanoseconds. The tree is walked anew every
    `refresh_s`; what ended in between stays counted only where the sum would else go back. Where a
    control group counts for the program, which misses nobody, the larger of the two counts.
    """

    def __init__(self, root: int, refresh_s: float = 1.0) -> None:
        self._root = root
        self._refresh_s = refresh_s
        self._walked = -1e9
        self._pids: list[int] = []
        self._last = 0.0
        self._account = account_of(root)
        self._behind: float | None = None
        """By how much the processes' clocks were behind the account at first."""

    def seconds(self) -> float:
        """CPU seconds so far; never less than the last time."""
        if time.monotonic() - self._walked > self._refresh_s:
            self._pids = [self._root, *members_of(self._root)]
            self._walked = time.monotonic()
        total = 0.0
        for pid in self._pids:
            with contextlib.suppress(OSError):
                # The clock of a process, as clock_getcpuclockid(3) makes its number.
                total += time.clock_gettime((~pid << 3) | 2)
        counted = cpu_seconds(self._account) if self._account else None
        if counted is not None:
            if self._behind is None:
                self._behind = counted - total
            total = max(total, counted - self._behind)
        self._last = max(self._last, total)
        return self._last

    def waited_seconds(self) -> float:
        """How long its threads, those that live, were ready to run but had no core."""
        nanoseconds = 0
        for pid in [self._root, *members_of(self._root)]:
            for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError, IndexError, ValueError):
                    nanoseconds += int(file.read_text().split()[1])
        return nanoseconds / 1e9
