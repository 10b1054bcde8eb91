"""The file that is hashed, and the ways in which it changes behind the server's back."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

FILE_BYTES = 16 * 1024


class HashedFile:
    """A file of 16 kB."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mapping: mmap.mmap | None = None

    def read(self) -> bytes:
        """What it holds."""
        return self.path.read_bytes()

    def rewrite(self, content: bytes) -> None:
        """Write it in place."""
        self.path.write_bytes(content)

    def rewrite_quietly(self, content: bytes) -> None:
        """Write it in place, and put its times back."""
        before = self.path.stat()
        self.path.write_bytes(content)
        os.utime(self.path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def replace(self, content: bytes) -> None:
        """Rename another file to it."""
        beside = self.path.with_name(f"file-{token_hex(8)}.bin")
        beside.write_bytes(content)
        os.replace(beside, self.path)

    @contextmanager
    def mapped(self) -> Iterator[mmap.mmap]:
        """A mapping of its memory: what is written through it moves no time stamp and wakes no
        watcher, once its pages are dirty."""
        with self.path.open("r+b") as handle, mmap.mmap(handle.fileno(), FILE_BYTES) as mapping:
            yield mapping

    @property
    def is_mapped(self) -> bool:
        """Whether `map` holds a mapping."""
        return self._mapping is not None

    def map(self) -> mmap.mmap:
        """A mapping that is kept until `unmap`, with all of its pages dirty."""
        if self._mapping is None:
            with self.path.open("r+b") as handle:
                self._mapping = mmap.mmap(handle.fileno(), FILE_BYTES)
            # The first write to each page moves the time stamp: here, before one changes anything.
            for place in range(0, FILE_BYTES, mmap.PAGESIZE):
                self._mapping[place] = self._mapping[place]
        return self._mapping

    def unmap(self) -> None:
        """Let go of what `map` holds."""
        if self._mapping is not None:
            self._mapping.close()
            self._mapping = None
