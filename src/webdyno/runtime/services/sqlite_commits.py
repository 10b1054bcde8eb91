"""How many transactions were committed to a file of SQLite's, by whichever process.

In the journal mode WAL its index, which all processes map, holds a count that each commit raises
("iChange" in the file format's documentation); in the others the header of the file does. The index
lives as long as anybody has the file open, and is made anew after that: so it is held open here.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from pathlib import Path

_WAL = 2
_MODE_AT, _COUNT_AT, _INDEX_COUNT_AT = 18, 24, 8


class SqliteCommits:
    """Commits to `file` since this was made, until `close`."""

    def __init__(self, file: Path) -> None:
        self._database = sqlite3.connect(file, timeout=10, check_same_thread=False)
        self._descriptors: list[int] = []
        try:
            self._database.execute("SELECT count(*) FROM sqlite_master").fetchall()
            self._file = self._opened(file)
            by_index = os.pread(self._file, 1, _MODE_AT) == bytes([_WAL])
            self._index = self._opened(Path(f"{file}-shm")) if by_index else None
            self._before = self._commit_count()
        except BaseException:
            self.close()
            raise

    def count(self) -> int:
        """How many so far."""
        return (self._commit_count() - self._before) % (1 << 32)

    def close(self) -> None:
        """Hold the file no longer."""
        self._database.close()
        # Closing a descriptor gives up all locks of this process on its file: so this comes last.
        while self._descriptors:
            os.close(self._descriptors.pop())

    def _opened(self, file: Path) -> int:
        self._descriptors.append(os.open(file, os.O_RDONLY))
        return self._descriptors[-1]

    def _commit_count(self) -> int:
        if self._index is not None:
            held = os.pread(self._index, 4, _INDEX_COUNT_AT)
            return int(struct.unpack("=I", held)[0])
        return int(struct.unpack(">I", os.pread(self._file, 4, _COUNT_AT))[0])
