"""What the kernel grants a program at this moment: its cores, its priority, and its limits.

Any program of the same user may take these from it, and Landlock covers none of the calls that do
(sched_setaffinity, sched_setscheduler, setpriority, prlimit).
"""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.catalog.terms.cpus import cpus_text
from webdyno.runtime.confinement.conduct import Priority, priorities_of

_STANDS_BACK = {os.SCHED_BATCH, os.SCHED_IDLE}
"""Scheduling policies of threads that leave the core to others."""


@dataclass(frozen=True)
class Granted:
    """What the threads and the processes of a program have, by their ids."""

    threads: dict[int, tuple[frozenset[int], Priority]] = field(default_factory=dict)
    """The cores that each may run on, of those that it was given, and its priority."""
    limits: dict[int, str] = field(default_factory=dict)
    """The kernel's table of each process's limits."""

    def loss_since(self, before: Granted) -> str:
        """What was taken from one of those that were there `before`; empty where nothing was.

        More of something is no loss: many runtimes raise their own limit of open files.
        """
        for pid, table in self.limits.items():
            if lowered := _lowered(before.limits.get(pid, table), table, f"its process {pid}"):
                return lowered
        for thread, (cores, priority) in self.threads.items():
            cores_before, was = before.threads.get(thread, (cores, priority))
            if lost := cores_before - cores:
                return f"its thread {thread} lost CPU {cpus_text(lost)}"
            if priority.nice > was.nice:
                return f"its thread {thread} went from nice {was.nice} to {priority.nice}"
            if priority.policy != was.policy and priority.policy in _STANDS_BACK:
                change = f"from scheduling policy {was.policy} to {priority.policy}"
                return f"its thread {thread} went {change}"
        return ""

    def within(self, earlier: Granted) -> Granted:
        """What those threads and processes alone have that were there `earlier`, too."""
        return Granted(
            {thread: at for thread, at in self.threads.items() if thread in earlier.threads},
            {pid: table for pid, table in self.limits.items() if pid in earlier.limits},
        )


def granted_to(pids: Collection[int], cores: Collection[int]) -> Granted:
    """What the processes `pids` have now, as far as it can be seen; of cores, only `cores`.

    Others are not theirs to lose: compilers are lent some while a server warms up.
    """
    granted = Granted()
    for thread, priority in priorities_of(pids):
        with contextlib.suppress(OSError):
            granted.threads[thread] = frozenset(os.sched_getaffinity(thread)) & set(cores), priority
    for pid in pids:
        with contextlib.suppress(OSError):
            granted.limits[pid] = Path(f"/proc/{pid}/limits").read_text()
    return granted


def _lowered(before: str, now: str, whose: str) -> str:
    """Which soft limit fell, by the kernel's tables; empty where none did."""
    if now == before:
        return ""
    was = _soft_limits(before)
    for name, value in _soft_limits(now).items():
        if value < was.get(name, value):
            fell = f"from {_number(was[name])} to {_number(value)}"
            return f"the limit '{name}' of {whose} fell {fell}"
    return ""


def _soft_limits(table: str) -> dict[str, float]:
    """By the kernel's names, from /proc/PID/limits (proc(5)): name, soft, hard, and unit."""
    found = {}
    for line in table.splitlines()[1:]:
        name, soft, *_ = re.split(r"\s{2,}", line)
        found[name] = math.inf if soft == "unlimited" else float(soft)
    return found


def _number(limit: float) -> str:
    return "unlimited" if math.isinf(limit) else f"{limit:,.0f}"
