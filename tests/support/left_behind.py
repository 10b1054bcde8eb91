"""That nothing which a test started lives on after it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from webdyno.runtime.proc import below, descendants, is_zombie, processes

GRACE_S = 1.0
"""How long what was told to end may take to do so."""

_EXITING = 0x4
"""PF_EXITING of linux/sched.h, a flag in /proc/PID/stat."""
_KILLED = 1 << (signal.SIGKILL - 1)


def alive() -> dict[int, str]:
    """The processes below this one, and what each runs."""
    return {pid: _description(pid) for pid in descendants(os.getpid()) if not is_ended(pid)}


def is_ended(pid: int) -> bool:
    """Whether a process has ended, or was killed: it then runs no more, but is gone only once it
    gets a core, and other tests want the same cores."""
    if is_zombie(pid):
        return True
    try:
        flags = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[6]
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True
    pending = re.findall(r"^S(?:ig|hd)Pnd:\s*([0-9a-f]+)$", status, re.MULTILINE)
    return bool(int(flags) & _EXITING) or any(int(one, 16) & _KILLED for one in pending)


@contextlib.contextmanager
def nothing_left_behind() -> Iterator[None]:
    """Fails with the names of the processes that were started meanwhile and live on.

    Not those of programs that ran before: a browser that tests share starts some whenever it likes.
    """
    before = list(alive())
    yield
    until = time.monotonic() + GRACE_S
    while (left := _alive_beside(before)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not left, f"left behind: {left}"


def _alive_beside(before: list[int]) -> dict[int, str]:
    theirs = {*before, *below(before, processes())}
    return {pid: text for pid, text in alive().items() if pid not in theirs}


def _description(pid: int) -> str:
    """Its state, its parent and its command."""
    with contextlib.suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        return f"{stat[0]}, child of {stat[1]}: {command.strip()}"
    return "ended"
