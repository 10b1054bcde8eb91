"""Logs with an end: of what a program writes the last part is kept, and how much there was told.

A program writes straight into its file, without a reader who could hold it up. Meanwhile the room
that the older part takes is given back to the disk; when the program has ended, the file is cut.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from pathlib import Path

KEPT_BYTES = 8_000_000
"""Of each log; the disk holds about twice as much while the program runs."""

_EVERY_S = 0.5
_KEEP_SIZE, _PUNCH_HOLE = 0x01, 0x02


class _LogTrimmer:
    """One thread for all logs that are being written."""

    def __init__(self) -> None:
        self._logs: set[Path] = set()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, log: Path) -> None:
        with self._changed:
            self._logs.add(log)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="log-ring")
                self._thread.start()

    def remove(self, log: Path) -> None:
        with self._changed:
            self._logs.discard(log)
            self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while self._logs:
                self._changed.wait(_EVERY_S)
                for log in self._logs:
                    with contextlib.suppress(OSError):
                        _give_back(log)
            self._thread = None


_trimmer = _LogTrimmer()


def bound(log: Path) -> None:
    """Keep the disk's room that `log` takes bounded, until it is `cut`."""
    _trimmer.add(log)


def cut(log: Path) -> None:
    """Keep the last part of `log`, whose program has ended, below a line that tells its size."""
    _trimmer.remove(log)
    with contextlib.suppress(OSError), log.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        if size <= KEPT_BYTES:
            return
        file.seek(size - KEPT_BYTES)
        end = file.read(KEPT_BYTES).partition(b"\n")[2]
        file.seek(0)
        file.truncate()
        header = f"[only the last {len(end):,} of {size:,} bytes are kept]\n"
        file.write(header.encode() + end)


def _give_back(log: Path) -> None:
    # The size stays as it is, so that the program's next line is written behind the last one.
    with log.open("r+b") as file:
        old = os.fstat(file.fileno()).st_size - KEPT_BYTES
        if old > KEPT_BYTES:
            libc = ctypes.CDLL(None, use_errno=True)
            mode = _KEEP_SIZE | _PUNCH_HOLE
            libc.fallocate(file.fileno(), mode, ctypes.c_long(0), ctypes.c_long(old))
