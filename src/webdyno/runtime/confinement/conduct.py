"""What a program does with the machine beyond its work: cores, priorities, listeners."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from webdyno.runtime.proc import text_of_proc

_ORDINARY = {os.SCHED_OTHER, os.SCHED_BATCH, os.SCHED_IDLE}
_RANK = {"nice": 16, "policy": 38}
"""Positions among the fields of /proc/PID/task/TID/stat that follow the command (proc(5))."""


class Priority(NamedTuple):
    """How the scheduler treats a thread: its nice value, and its policy, as of sched(7)."""

    nice: int
    policy: int

    def advantage(self, nice: int) -> str:
        """How it pushes in front of who runs at the nice value `nice`; empty where it does not."""
        if self.policy not in _ORDINARY:
            return "a thread runs in real time"
        return f"a thread runs at nice {self.nice} instead of {nice}" if self.nice < nice else ""


@dataclass(frozen=True)
class Conduct:
    """What threads of a program were seen to do; empty where they did nothing of the kind."""

    cores: frozenset[int] = frozenset()
    """Where they may run though they were not given it."""
    priority: str = ""
    """How one of them pushes in front of others."""

    def __or__(self, other: Conduct) -> Conduct:
        return Conduct(self.cores | other.cores, self.priority or other.priority)


def conduct_of(
    pids: Collection[int],
    cores: Collection[int],
    urgent: Mapping[int, Priority] = MappingProxyType({}),
) -> Conduct:
    """What the threads of `pids` do now that may only run on `cores`; `urgent` are those
    that may push in front, as long as they do it no more than that."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    conduct = Conduct()
    for thread, priority in priorities_of(pids):
        with contextlib.suppress(OSError):
            conduct |= Conduct(cores=frozenset(os.sched_getaffinity(thread) - set(cores)))
        was = urgent.get(thread)
        if was is None or priority.policy != was.policy or priority.nice < was.nice:
            conduct |= Conduct(priority=priority.advantage(own))
    return conduct


def urgent_threads(pids: Collection[int]) -> dict[int, Priority]:
    """The threads of `pids` that push in front of others now, by their ids: MySQL gives one that
    writes pages to the disk nice -20, where it may."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    return {thread: priority for thread, priority in priorities_of(pids) if priority.advantage(own)}


def priorities_of(pids: Collection[int]) -> Iterator[tuple[int, Priority]]:
    """The threads of `pids` now, by their ids, and how the scheduler treats each."""
    for pid in pids:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                with contextlib.suppress(OSError):
                    text = text_of_proc(task / "stat")
                    fields = text.rpartition(")")[2].split()
                    yield (
                        int(task.name),
                        Priority(int(fields[_RANK["nice"]]), int(fields[_RANK["policy"]])),
                    )
