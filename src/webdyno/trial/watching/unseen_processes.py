"""CPU time of processes that come and go between two looks, where no control group counts it.

A process whose parent waits for it leaves its CPU time to the parent. That of one that nobody
waits for is lost, unless a group counted it (see `runtime.processes.family.account_of`). Without
one, only the cores tell that somebody used them.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from webdyno.runtime.processes.family import account_of
from webdyno.store.records import FlagRecord, Measurement

UNSEEN = "unseen-processes"

MUCH = 0.5
"""CPU time that nobody can be charged with, as a part of the server's own, from which on the server
may as well have used far more ..."""
TICKS_S = 0.05
"""... but for some ticks."""
FORKS_PER_S = 20.0
"""Processes started on the machine below which none of them hid much: each lives too shortly to be
looked at."""


class UnseenProcesses:
    """Whether a server's processes came and went while it was loaded, and nobody counted."""

    def __init__(self, root: int) -> None:
        self._counted = account_of(root) is not None
        self._root = root
        self._seen: set[int] = set()
        self._came_and_went = False
        self._forks_at_first: int | None = None
        self._forks = 0

    def look(self, alive: Collection[int]) -> None:
        """Note which of its processes live."""
        if self._counted:
            return
        now = forks()
        if self._forks_at_first is None:
            self._forks_at_first = now
        self._forks = now - self._forks_at_first
        there = set(alive) - {self._root}
        self._came_and_went |= not self._seen <= there
        self._seen |= there

    def flags(self, measured: Measurement) -> list[FlagRecord]:
        """That what it used cannot be told: forbids to rank it."""
        others = measured.foreign_cpu_share
        if not self._came_and_went or others is None:
            return []
        # What the host of a virtual machine took is nobody's here.
        others -= measured.stolen_cpu_share or 0.0
        used = measured.cpu["server"]
        watched_s = max(measured.elapsed_s, measured.generator.watched_s or 0.0)
        own_s, others_s = used.user_s + used.system_s, others * used.cores * watched_s
        if others_s <= MUCH * own_s + TICKS_S or self._forks < FORKS_PER_S * watched_s:
            return []
        message = (
            f"its cores were busy for {own_s + others_s:.1f} s, but only {own_s:.1f} s of it was "
            "seen in its processes, some of which come and go; have it wait for its children, or "
            "allow control groups"
        )
        return [FlagRecord(code=UNSEEN, message=message)]


def forks() -> int:
    """Processes and threads that were started on this machine since its boot."""
    for line in Path("/proc/stat").read_text().splitlines():
        name, _, number = line.partition(" ")
        if name == "processes":
            return int(number)
    return 0
