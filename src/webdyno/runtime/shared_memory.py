"""Shared memory that a killed PostgreSQL leaves: it lies in no folder, and outlives all processes.

A cluster has a small System V segment, and a few others for its processes: POSIX's, which are files
in memory, or where the system has no place for these, System V's, too. At its own next start it
would remove them; but a database of a trial is removed, and never starts again.
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
"""Those of the first segment and of the list of the others (`PGShmemMagic` in PostgreSQL's
`pg_shmem.h`, `PG_DYNSHMEM_CONTROL_MAGIC` in its `dsm.c`)."""
_HEADER = struct.Struct("=iiQQI")
"""The beginning of the first segment: magic, creator, two sizes, and the name of that list."""
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
class _SystemVRow:
    """A System V segment, as the kernel lists it."""

    key: int
    id: int
    size: int
    attached: int
    owner: int


@dataclass(frozen=True)
class _Segment:
    """The first segment of a cluster with this data folder, which nobody has attached."""

    id: int
    owner: int
    folder: tuple[int, int]
    """Its device and inode."""
    control: int
    """The name of the one that lists the others; 0 where there is none."""


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
                for row in _named(name, segment.owner):
                    _libc().shmctl(row.id, _IPC_RMID, None)
            _libc().shmctl(segment.id, _IPC_RMID, None)


def _rows() -> list[_SystemVRow]:
    try:
        _, *lines = _SYSTEM_V.read_text().splitlines()
    except (OSError, ValueError):  # Not Linux, or a kernel without them.
        return []
    found = []
    for line in lines:
        key, number, _, size, _, _, attached, owner, *_ = map(int, line.split())
        found.append(_SystemVRow(key, number, size, attached, owner))
    return found


def _abandoned() -> Iterator[_Segment]:
    for row in _rows():
        if row.attached or not _HEADER.size + _FOLDER.size <= row.size <= _MOST_BYTES:
            continue
        held = _contents(row)
        if held and _HEADER.unpack_from(held)[0] == _MAGIC:
            at = _FOLDER.unpack_from(held, row.size - _FOLDER.size)
            yield _Segment(row.id, row.owner, at, _HEADER.unpack_from(held)[-1])


def _named(name: int, owner: int) -> list[_SystemVRow]:
    """The System V segment of this name that nobody has attached, if there is one."""
    key = abs(ctypes.c_int32(name).value)
    mine = [row for row in _rows() if key and row.key == key and row.owner == owner]
    return [row for row in mine if not row.attached]


def _contents(row: _SystemVRow) -> bytes:
    """What a System V segment holds; empty where it is gone, or somebody else's."""
    libc = _libc()
    at = libc.shmat(row.id, None, _SHM_RDONLY)
    if at in (None, ctypes.c_void_p(-1).value):
        return b""
    try:
        return ctypes.string_at(at, row.size)
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
    """The names of a cluster's other segments."""
    try:
        held = _list(segment)
        magic, count, room = _LIST.unpack_from(held)
        length = (len(held) - _ENTRIES_AT) // room
        if magic == _CONTROL_MAGIC and length >= _ENTRY.size:
            for at in range(min(count, room)):
                name, users = _ENTRY.unpack_from(held, _ENTRIES_AT + at * length)
                if users:
                    yield name
    except (OSError, struct.error, ZeroDivisionError):  # It is gone, or of another version.
        return


def _list(segment: _Segment) -> bytes:
    if not segment.control:
        return b""
    with contextlib.suppress(FileNotFoundError):
        return _file(segment.control).read_bytes()
    return next(map(_contents, _named(segment.control, segment.owner)), b"")


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
