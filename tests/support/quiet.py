"""For tests of what limited a trial: the cores to themselves, as far as that can be had."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from webdyno.runtime.processes.cpu_time import busy_seconds

Made = TypeVar("Made")

FIRST = -20
"""The nice value that the kernel serves first."""

TRIES = 4
"""Others may take the cores in the middle of a trial, which it then rightly says: try again."""

QUIET_S = 10.0
"""How long a quiet moment is waited for before that."""

QUIET = 0.25
"""Share of the cores in use below which a machine is quiet."""


@contextlib.contextmanager
def first_in_line() -> Iterator[None]:
    """Before everybody else's processes, where that is allowed (it needs root or CAP_SYS_NICE).

    What the test starts inherits its nice value, so that its parts compete with each other as they
    would without. Where the kernel groups processes by session, which each server has of its own,
    only this session's group goes first: the generator's.
    """
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, FIRST)
    _nice_group(FIRST)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, before)
        _nice_group(before)


def _nice_group(value: int) -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(value), encoding="ascii")


def await_quiet(most_s: float) -> None:
    """Return once the cores were mostly idle for half a second, or after `most_s`."""
    cores = tuple(os.sched_getaffinity(0))
    until = time.monotonic() + most_s
    while time.monotonic() < until:
        busy, began = busy_seconds(cores), time.monotonic()
        time.sleep(0.5)
        if busy_seconds(cores) - busy < QUIET * len(cores) * (time.monotonic() - began):
            return


def first_of(make: Callable[[], Made], good: Callable[[Made], bool], tries: int = TRIES) -> Made:
    """The first of so many trials, or runs, that is `good`, or the last one."""
    made = make()
    for _ in range(tries - 1):
        if good(made):
            break
        await_quiet(QUIET_S)
        made = make()
    return made
