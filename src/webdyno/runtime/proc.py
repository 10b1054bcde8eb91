"""Reading processes from /proc.

psutil reads the same files, but has no session of a process, rounds when it started, and takes ten
times as long for a table of a hundred processes (13 ms beside 1.4 ms): families are looked at
while servers are measured.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Process:
    """A process as the kernel's table shows it."""

    pid: int
    parent: int
    session: int
    started: int
    """In clock ticks since boot: with the id it names a process for good, since ids come again."""
    zombie: bool
    """It has ended with all its threads, and waits for its parent to notice."""
    ending: bool = False
    """Its first thread has ended, but not all: it was killed just now, or goes on without."""
    stopped: bool = False
    """By a signal or a debugger."""


def look_at(pid: int) -> Process | None:
    """The process `pid`; None where there is none."""
    try:
        # Hundreds are read in a row: a path object and a text file would take five times as long.
        file = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            stat = os.read(file, 1024)
        finally:
            os.close(file)
    except OSError:
        return None
    # The command may hold spaces and brackets; the fields follow its last bracket.
    fields = stat.rpartition(b")")[2].split(maxsplit=20)
    ended, threads = fields[0] in (b"Z", b"X"), int(fields[17])
    return Process(
        pid,
        parent=int(fields[1]),
        session=int(fields[3]),
        started=int(fields[19]),
        zombie=ended and threads <= 1,
        ending=ended and threads > 1,
        stopped=fields[0] in (b"T", b"t"),
    )


def processes() -> dict[int, Process]:
    """Every process that can be read, by its id."""
    found = (look_at(int(name)) for name in os.listdir("/proc") if name.isdigit())
    return {process.pid: process for process in found if process is not None}


def descendants(root: int) -> list[int]:
    """All live descendants of `root`, children before grandchildren, without `root`."""
    return below([root], processes())


def below(roots: list[int], table: dict[int, Process]) -> list[int]:
    """What hangs below `roots` in `table`, children before grandchildren, without `roots`."""
    children: dict[int, list[int]] = {}
    for process in table.values():
        children.setdefault(process.parent, []).append(process.pid)
    found: list[int] = []
    seen = set(roots)
    queue = list(roots)
    while queue:
        new = [pid for pid in children.get(queue.pop(0), ()) if pid not in seen]
        seen.update(new)
        found += new
        queue += new
    return found


def is_zombie(pid: int) -> bool:
    """True where the process has ended, gone or waiting for its parent to notice."""
    process = look_at(pid)
    return process is None or process.zombie


def carries(pid: int, variable: str, value: str) -> bool:
    """True where the process was started with `variable=value` in its environment."""
    return f"{variable}={value}".encode() in environment_of(pid)


def environment_of(pid: int) -> list[bytes]:
    """The variables that the process was started with; empty where they cannot be seen."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def text_of_proc(path: Path) -> str:
    """What the kernel tells in a file of /proc that holds names which programs chose.

    The names are theirs to choose, and longer ones are cut off within a letter: what is no UTF-8 is
    replaced. Raises `OSError`.
    """
    return path.read_text(encoding="utf-8", errors="replace")


def name_of(pid: int) -> str:
    """The name of its program, as the kernel has it; empty where there is no such process."""
    try:
        return text_of_proc(Path(f"/proc/{pid}/comm")).strip()
    except OSError:
        return ""
