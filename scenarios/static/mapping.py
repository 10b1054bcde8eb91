"""Files that change through a memory mapping.

Their times move as by any other change, but whoever waits to be told of changes is told nothing
(inotify, fanotify, leases), and no file is opened or closed for it.
"""

from __future__ import annotations

import io
import mmap
import os
import time
from pathlib import Path

TICK_S = 0.02
"""How far the clock of file times may lag, in seconds."""


class HeldFiles:
    """Files that stay open from before they are seen by anybody, by name."""

    def __init__(self) -> None:
        self._files: dict[str, io.FileIO] = {}
        self._written_s: dict[str, float] = {}
        """The times that writes gave them last, which no other state of theirs may have."""

    def hold(self, name: str, file: io.FileIO) -> None:
        """Keep `file`, open for reading and writing, in place of the one of before."""
        before = self._files.get(name)
        self._files[name] = file
        if before is not None:
            before.close()

    def close(self) -> None:
        """Let all of them go."""
        while self._files:
            self._files.popitem()[1].close()

    def write(self, name: str, content: bytes) -> None:
        """Give the file other content of its size, while nobody reads it."""
        self._write(name, 0, content)

    def rewrite(self, name: str, place: int, byte: bytes) -> None:
        """Give it another byte, while others read it; takes up to two seconds.

        Its time moves a moment before the byte is there, and whoever reads it in between keeps the
        old content with the new time. So the time moves again, by a whole second or more.
        """
        for _ in range(2):
            self._write(name, place, byte)

    def _write(self, name: str, place: int, content: bytes) -> None:
        file = self._files[name]
        _await_second_after(self._written_s.get(name, 0.0))
        _write(file, place, content)
        self._written_s[name] = os.fstat(file.fileno()).st_mtime


def moves_times(folder: Path) -> bool:
    """Whether a write through a mapping moves the time of a file in `folder`, as on all common file
    systems: elsewhere no server could tell that the file has changed."""
    path = folder / "mapped"
    try:
        with path.open("w+b", buffering=0) as file:
            file.write(b"-")
            for _ in range(2):
                os.utime(path, (0, 0))
                _write(file, 0, b"+")
                if path.stat().st_mtime == 0:
                    return False
    except OSError:
        return False  # Some file systems have no mappings that are written back.
    finally:
        path.unlink(missing_ok=True)
    return True


def _write(file: io.FileIO, place: int, content: bytes) -> None:
    # Through a mapping of its own: only the first write to a page of each moves the time.
    with mmap.mmap(file.fileno(), 0) as mapped:
        mapped[place : place + len(content)] = content


def _await_second_after(time_s: float) -> None:
    """Wait until the clock shows another whole second than `time_s`."""
    left_s = int(time_s) + 1 + TICK_S - time.time()
    if 0 < left_s <= 1 + TICK_S:
        time.sleep(left_s)
