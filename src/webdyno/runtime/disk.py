"""Room on disks: what a run needs, what files take, and what is full where there is none left."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from webdyno.errors import UserError

NEEDED_BYTES = 256_000_000
"""Room without which no run is begun: logs, builds and a database's log take about as much."""

_FULL = {errno.ENOSPC, errno.EDQUOT}
_SQLITE_SAYS = "database or disk is full"


def is_full(error: BaseException) -> bool:
    """Whether `error`, or what caused it, is that a disk or a quota has no room."""
    return any(
        (isinstance(one, OSError) and one.errno in _FULL) or _SQLITE_SAYS in str(one)
        for one in _chain(error)
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: list[BaseException | None] = [error]
    while following:
        one = following.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one
            following += [one.__cause__, one.__context__, getattr(one, "orig", None)]


def disk_full_message(folders: Iterable[Path], resumable: bool = False) -> str:
    """Which of `folders` is full, how much room is needed there, and how to go on, in one line.
    `resumable`: where a run was going that --resume continues."""
    again = "continue with --resume; what was stored is kept" if resumable else "try again"
    rooms = [(_free_bytes(folder), folder) for folder in folders]
    free, folder = min(rooms, key=lambda room: room[0])
    if free >= NEEDED_BYTES:
        return f"the output's disk is full or out of inodes; make room there and {again}"
    return (
        f"{folder}: no space left ({free / 1e6:,.1f} MB free, {NEEDED_BYTES / 1e6:,.0f} MB are "
        f"needed); make room and {again}"
    )


def check_room(folders: Iterable[Path]) -> None:
    """Raises `UserError` for the first of `folders` that has less room than a run needs."""
    for folder in folders:
        if (free := _free_bytes(folder)) < NEEDED_BYTES:
            raise UserError(
                f"{folder}: {free / 1e6:,.1f} MB free, {NEEDED_BYTES / 1e6:,.0f} MB are needed; "
                "make room there, or set WEBDYNO_HOME, TMPDIR and WEBDYNO_STORE to places that "
                "have it"
            )


def size_of(files: Iterable[Path]) -> int:
    """Bytes of the regular files among `files`; one that goes away meanwhile has none."""
    total = 0
    for path in files:
        with contextlib.suppress(OSError):
            total += path.lstat().st_size if path.is_file() and not path.is_symlink() else 0
    return total


def _free_bytes(folder: Path) -> float:
    """Bytes free where `folder` is or would be made; infinite where nobody can tell."""
    for place in (folder, *folder.parents):
        try:
            seen = os.statvfs(place)
        except FileNotFoundError:
            continue
        except OSError:
            break
        return seen.f_bavail * seen.f_frsize
    return float("inf")
