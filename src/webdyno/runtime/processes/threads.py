"""Threads of a server, by name: what those that compile use, and where they may run."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection
from pathlib import Path

from webdyno.runtime.proc import text_of_proc
from webdyno.runtime.processes.family import members_of
from webdyno.runtime.processes.thread_times import ThreadTimes, times_of


class NamedThreads:
    """The threads of a process tree whose names are among `names`.

    Threads are looked for anew every `refresh_s`, since runtimes start and end their compilers as
    they need them; what ended ones used stays counted.
    """

    def __init__(self, root: int, names: Collection[str], refresh_s: float = 0.5) -> None:
        self._root = root
        self._names = frozenset(names)
        self._refresh_s = refresh_s
        self._searched = -1e9
        self._tasks: dict[int, Path] = {}
        self._used: dict[int, tuple[float, float]] = {}
        self._cpus: frozenset[int] | None = None

    def seconds(self) -> ThreadTimes:
        """How long they ran so far, all together, and how long they were ready but had no core."""
        if time.monotonic() - self._searched > self._refresh_s:
            self._search()
        for thread, task in self._tasks.items():
            if (times := times_of(task)) is not None:
                self._used[thread] = times
        used = self._used.values()
        return ThreadTimes(sum(ran for ran, _ in used), sum(waited for _, waited in used))

    def ids(self) -> set[int]:
        """Those that were there when they were last looked for."""
        return set(self._tasks)

    def allow(self, cpus: Collection[int]) -> None:
        """Let them run on `cpus`, those that are yet to start as well."""
        self._cpus = frozenset(cpus)
        self._search()

    def _search(self) -> None:
        self._searched = time.monotonic()
        found: dict[int, Path] = {}
        for pid in [self._root, *members_of(self._root)]:
            with contextlib.suppress(OSError):
                for task in Path(f"/proc/{pid}/task").iterdir():
                    with contextlib.suppress(OSError):
                        if text_of_proc(task / "comm").rstrip("\n") in self._names:
                            found[int(task.name)] = task
        self._tasks = found
        if self._cpus:
            for thread in found:
                with contextlib.suppress(OSError):
                    if os.sched_getaffinity(thread) != self._cpus:
                        os.sched_setaffinity(thread, self._cpus)
