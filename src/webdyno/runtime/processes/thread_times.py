"""How long each thread of a process tree has run, and waited for a core.

psutil has neither nanoseconds of a thread, only ticks of 10 ms, nor the time that it waited.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from webdyno.runtime.proc import text_of_proc
from webdyno.runtime.processes.family import members_of

Times = Mapping[int, tuple[float, float]]
"""By thread id, as `ThreadTimes`."""


class ThreadTimes(NamedTuple):
    """Seconds that a thread, or several together, ran on a CPU, and were ready but without one."""

    ran_s: float
    waited_s: float


class BusiestThread(NamedTuple):
    """Part of a time that the busiest thread ran, and the largest part that any thread ran or
    waited for a core."""

    ran_share: float
    ready_share: float


def thread_times(root: int) -> dict[int, ThreadTimes]:
    """The threads of `root` and of all below it that live; empty where the kernel does not tell.

    From /proc/PID/task/TID/schedstat, in nanoseconds there.
    """
    found: dict[int, ThreadTimes] = {}
    for pid in [root, *members_of(root)]:
        found.update(_times_of(pid))
    return found


def ready_threads(root: int) -> set[int]:
    """The threads of `root` and of all below it that run, or would if they had a core.

    From the letter of their state in /proc/PID/task/TID/stat: those that wait for a core now have
    used nothing meanwhile, nor does the kernel count their waiting before they get one.
    """
    found = set()
    for pid in [root, *members_of(root)]:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                with contextlib.suppress(OSError):
                    if text_of_proc(task / "stat").rpartition(")")[2].split()[:1] == ["R"]:
                        found.add(int(task.name))
    return found


def own_thread_times(name: str) -> dict[int, ThreadTimes]:
    """The same of this process's own threads whose names begin with `name`."""
    return {
        thread: times
        for thread, times in _times_of(os.getpid()).items()
        if _name_of(thread).startswith(name)
    }


def times_of(task: Path) -> ThreadTimes | None:
    """Of one thread, by its folder /proc/PID/task/TID; None where it has ended."""
    try:
        ran, waited = (task / "schedstat").read_text().split()[:2]
    except (OSError, ValueError):
        return None
    return ThreadTimes(int(ran) / 1e9, int(waited) / 1e9)


def _times_of(pid: int) -> dict[int, ThreadTimes]:
    found: dict[int, ThreadTimes] = {}
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            if (times := times_of(task)) is not None:
                found[int(task.name)] = times
    return found


def _name_of(thread: int) -> str:
    try:
        return Path(f"/proc/self/task/{thread}/comm").read_text()
    except OSError:
        return ""


def spent(before: Times, after: Times) -> list[ThreadTimes]:
    """What each thread of `after` did since `before`; one that is new did all of it since."""
    found = []
    for thread, now in after.items():
        then = before.get(thread, (0.0, 0.0))
        # Smaller figures are those of another thread that got the same id.
        then = then if now[0] >= then[0] else (0.0, 0.0)
        found.append(ThreadTimes(now[0] - then[0], max(0.0, now[1] - then[1])))
    return found


def busiest(before: Times, after: Times, wall_s: float) -> BusiestThread | None:
    """What the busiest thread did in `wall_s`; None where no thread was seen to run."""
    each = spent(before, after)
    if not any(ran for ran, _ in each):
        return None
    wall = max(wall_s, 1e-9)
    # A running thread's own clock is read a moment after the wall's: it may seem a little more.
    return BusiestThread(
        min(1.0, max(ran for ran, _ in each) / wall),
        min(1.0, max(ran + waited for ran, waited in each) / wall),
    )
