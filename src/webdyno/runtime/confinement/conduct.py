"""What a program does with the machine beyond its work: cores, priorities, listeners."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

_ORDINARY = {os.SCHED_OTHER, os.SCHED_BATCH, os.SCHED_IDLE}
_RANK = {"nice": 16, "policy": 38}
"""Positions among the fields of /proc/PID/task/TID/stat that follow the command (proc(5))."""


@dataclass(frozen=True)
class Conduct:
    """What threads of a program were seen to do; empty where they did nothing of the kind."""

    cores: frozenset[int] = frozenset()
    """Where they may run though they were not given it."""
    priority: str = ""
    """How one of them pushes in front of others."""

    def __or__(self, other: Conduct) -> Conduct:
        return Conduct(self.cores | other.cores, self.priority or other.priority)


def conduct_of(pids: Collection[int], given: Collection[int]) -> Conduct:
    """What the threads of `pids` do now that may only run on the cores `given`."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    seen = Conduct()
    for thread, fields in _threads(pids):
        with contextlib.suppress(OSError):
            seen |= Conduct(cores=frozenset(os.sched_getaffinity(thread) - set(given)))
        nice, policy = int(fields[_RANK["nice"]]), int(fields[_RANK["policy"]])
        if policy not in _ORDINARY:
            seen |= Conduct(priority="a thread runs in real time")
        elif nice < own:
            seen |= Conduct(priority=f"a thread runs at nice {nice} instead of {own}")
    return seen


def _threads(pids: Collection[int]) -> Iterator[tuple[int, list[str]]]:
    for pid in pids:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                with contextlib.suppress(OSError):
                    text = (task / "stat").read_text()
                    yield int(task.name), text.rpartition(")")[2].split()
