"""For tests of what limited a trial: the cores to themselves, as far as that can be had."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from webdyno.runtime.machine.core_seconds import core_seconds
from webdyno.runtime.proc import descendants

Made = TypeVar("Made")

FIRST = -20
"""The nice value that the kernel serves first."""

AUTOGROUP = Path("/proc/self/autogroup")
"""`/autogroup-N nice V` where the kernel groups processes by session."""

TRIES = 4
"""Others may take the cores in the middle of a trial, which it then rightly says: try again."""

QUIET_S = 10.0
"""How long a quiet moment is waited for before that."""

QUIET = 0.25
"""Share of the cores in use below which a machine is quiet."""

DISTURBED = 0.1
"""Cores that others used on average, from which a trial may well have been disturbed."""


@contextlib.contextmanager
def first_in_line() -> Iterator[None]:
    """Before everybody else's processes, where that is allowed (it needs root or CAP_SYS_NICE).

    What the test starts inherits its nice value, so that its parts compete with each other as they
    would without. Where the kernel groups processes by session, which each server has of its own,
    only this session's group goes first: the generator's. Not beside other tests, which are of that
    session, too.
    """
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, FIRST)
    group_before = _nice_group(FIRST)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, before)
        _nice_group(group_before)


def _nice_group(value: int) -> int:
    """Set the nice value of this session's group; gives what it was."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return (
            0  # The tests beside this one are of the same session: they would starve all servers.
        )
    before = 0
    with contextlib.suppress(OSError):
        shown = AUTOGROUP.read_text(encoding="ascii").split()
        if shown:  # Nothing for a process of the session that the machine started with.
            before = int(shown[-1])
            AUTOGROUP.write_text(str(value), encoding="ascii")
    return before


def await_quiet(most_s: float) -> None:
    """Return once the cores were mostly idle for half a second, or after `most_s`."""
    cores = tuple(os.sched_getaffinity(0))
    until = time.monotonic() + most_s
    while time.monotonic() < until:
        busy, began = _busy_seconds(cores), time.monotonic()
        time.sleep(0.5)
        if _busy_seconds(cores) - busy < QUIET * len(cores) * (time.monotonic() - began):
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


def first_undisturbed(
    make: Callable[[], Made], good: Callable[[Made], bool], tries: int = TRIES
) -> tuple[Made, bool]:
    """As `first_of`, and whether others disturbed the one it gives, by our own account of CPU time.

    Where nobody did, a trial that speaks of noise is wrong, which is what a test should catch.
    """
    others: list[float] = []

    def watched() -> Made:
        began, before = time.monotonic(), _others_seconds()
        made = make()
        others.append((_others_seconds() - before) / (time.monotonic() - began))
        return made

    return first_of(watched, good, tries), others[-1] > DISTURBED


def _others_seconds() -> float:
    """CPU seconds of all but this process and what it started, ended or alive."""
    ours = sum(os.times()[:4])
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            ours += sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")
    return _busy_seconds(range(os.cpu_count() or 1)) - ours


def _busy_seconds(cores: Iterable[int]) -> float:
    did = core_seconds(cores)
    assert did is not None, "the kernel does not tell how busy its cores are"
    return did.busy
