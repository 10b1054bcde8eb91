"""Processes that keep us from seeing what they hold: files in memory, mapped pages, sockets.

A program that calls prctl(PR_SET_DUMPABLE, 0), or that is started from a file which nobody may
read, has its /proc/PID/fd and smaps given to root (proc(5)). Root sees them all the same.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from webdyno.runtime.proc import text_of_proc
from webdyno.store.records import FlagRecord

HIDDEN = "hidden-processes"


def first_hidden_process(pids: Iterable[int]) -> int | None:
    """The first of the processes that hides what it holds; None where all can be seen."""
    return next(filter(_hides, pids), None)


def _hides(pid: int) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        # Without reading it, which takes long where there are thousands of connections.
        os.close(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
    except PermissionError:
        # Where we may look into no other process, its files are still its own user's.
        with contextlib.suppress(OSError):
            return os.stat(folder).st_uid == 0 != _user_of(pid)
    except OSError:
        pass  # It has ended.
    return False


def _user_of(pid: int) -> int:
    """Whose rights it has. Raises `OSError`."""
    for line in text_of_proc(Path(f"/proc/{pid}/status")).split("\n"):
        if line.startswith("Uid:"):
            return int(line.split()[2])
    return 0


def hidden_process_flag(pid: int) -> FlagRecord:
    """That nobody knows what the process holds."""
    return FlagRecord(
        code=HIDDEN,
        message=f"its process {pid} hides its memory and its sockets; do not call "
        "prctl(PR_SET_DUMPABLE, 0), and let its user read its program",
    )
