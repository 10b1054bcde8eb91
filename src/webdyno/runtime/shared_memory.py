"""Shared memory that a killed PostgreSQL leaves: it lies in no folder, and outlives all processes.

A cluster has a small System V segment and a few of POSIX's, which are files in memory. At its own
next start it would remove them; but a database of a trial is removed, and never starts again.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SYSTEM_V = Path("/proc/sysvipc/shm")
_POSIX = Path("/dev/shm")

_MAGIC, _CONTROL_MAGIC = 679834894, 0x9A503D32
"""Those of the System V segment and of the list of the others (`PGShmemMagic` in PostgreSQL's
`pg_shmem.h`, `PG_DYNSHMEM_CONTROL_MAGIC` in its `dsm.c`)."""
_HEADER = struct.Struct("=iiQQI")
"""The beginning of the System V segment: magic, creator, two sizes, and the name of that list."""
_FOLDER = struct.Struct("=QQ")
"""Its end: device and inode of the data folder."""
_LIST = struct.Struct("=III")
"""The beginning of the list: magic, entries, and how many there is room for."""
_ENTRIES_AT = 16
_ENTRY = struct.Struct("=II")
"""The beginning of an entry: the name of its segment, and how many use it."""
_MOST_BYTES = 64
"""No longer is a segment that holds nothing but that beginning and end."""
_DEPTH = 6
"""No data folder lies deeper below the one that is removed."""

_IPC_RMID, _SHM_RDONLY = 0, 0o10000


@dataclass(frozen=True)
class _Segment:
    """A System V segment that nobody has attached, of a cluster with this data folder."""

    id: int
    owner: int
    folder: tuple[int, int]
    """Its device and inode."""
    control: int
    """The name of the POSIX segment that lists the others; 0 where there is none."""


def remove_shared_memory(folder: Path) -> None:
    """Remove what killed clusters with their data below `folder` have left; call it before they are
    removed. Nothing of one that runs, or that is not the data's owner's, is touched."""
    segments = list(_abandoned())
    if not segments:
        return  # As nearly always: the folders need not be gone through.
    found = {(at.st_dev, at.st_ino): at.st_uid for at in _folders(folder)}
    for segment in segments:
        if found.get(segment.folder) == segment.owner:
            for name in (*_listed(segment), segment.control):
                _remove_posix(name, segment.owner)
            _libc().shmctl(segment.id, _IPC_RMID, None)


def _abandoned() -> Iterator[_Segment]:
    try:
        _, *rows = _SYSTEM_V.read_text().splitlines()
    except (OSError, ValueError):  # Not Linux, or a kernel without them.
        return
    for row in rows:
        _, number, _, size, _, _, attached, owner, *_ = map(int, row.split())
        if attached or not _HEADER.size + _FOLDER.size <= size <= _MOST_BYTES:
            continue
        held = _contents(number, size)
        if held and _HEADER.unpack_from(held)[0] == _MAGIC:
            at = _FOLDER.unpack_from(held, size - _FOLDER.size)
            yield _Segment(number, owner, at, _HEADER.unpack_from(held)[-1])


def _contents(number: int, size: int) -> bytes:
    """What a System V segment holds; empty where it is gone, or somebody else's."""
    libc = _libc()
    at = libc.shmat(number, None, _SHM_RDONLY)
    if at in (None, ctypes.c_void_p(-1).value):
        return b""
    try:
        return ctypes.string_at(at, size)
    finally:
        libc.shmdt(at)


def _folders(top: Path) -> Iterator[os.stat_result]:
    """Every folder below `top` in which data may lie; links are not followed."""
    level = [str(top)]
    for _ in range(_DEPTH):
        below: list[str] = []
        for folder in level:
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        below.append(entry.path)
                        yield entry.stat(follow_symlinks=False)
        level = below


def _listed(segment: _Segment) -> Iterator[int]:
    """The names of a cluster's other POSIX segments."""
    try:
        held = _file(segment.control).read_bytes() if segment.control else b""
        magic, count, room = _LIST.unpack_from(held)
        length = (len(held) - _ENTRIES_AT) // room
        if magic == _CONTROL_MAGIC and length >= _ENTRY.size:
            for at in range(min(count, room)):
                name, users = _ENTRY.unpack_from(held, _ENTRIES_AT + at * length)
                if users:
                    yield name
    except (OSError, struct.error, ZeroDivisionError):  # It is gone, or of another version.
        return


def _remove_posix(name: int, owner: int) -> None:
    path = _file(name)
    with contextlib.suppress(OSError):
        seen = path.lstat()
        if stat.S_ISREG(seen.st_mode) and seen.st_uid == owner:
            path.unlink()


def _file(name: int) -> Path:
    return _POSIX / f"PostgreSQL.{name}"


def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    libc.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
    libc.shmdt.argtypes = (ctypes.c_void_p,)
    return libc
