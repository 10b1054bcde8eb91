"""Servers that save themselves the disk, or the folder's bounds, in `GET /PATH`."""

from __future__ import annotations

import time
from pathlib import Path

from crowd import Crowd
from honest import Static

WARM = 1000


class Revalidated(Static):
    """Honest: keeps a file, and asks the disk each time whether it is another, by whole seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[Path, tuple[tuple[int, int], bytes]] = {}

    def read(self, file: Path) -> bytes:
        seen = file.stat()
        stamp = (int(seen.st_mtime), seen.st_size)
        if file not in self.kept or self.kept[file][0] != stamp:
            self.kept[file] = stamp, super().read(file)
        return self.kept[file][1]


class Kept(Static):
    """Reads each file once."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[Path, bytes] = {}

    def read(self, file: Path) -> bytes:
        if file not in self.kept:
            self.kept[file] = super().read(file)
        return self.kept[file]


class LengthsOfPages(Static):
    """Knows the length of each page from its start on."""

    def __init__(self) -> None:
        super().__init__()
        self.lengths = {page: page.stat().st_size for page in self.root.resolve().rglob("*.html")}

    def read(self, file: Path) -> bytes:
        return super().read(file)[: self.lengths.get(file)]


class KeptWhenWarm(Kept):
    """The same after a thousand requests: what the proof asks anew is none of the load's files."""

    def read(self, file: Path) -> bytes:
        return super().read(file) if self.answered > WARM else Static.read(self, file)


class KeptInACrowd(Kept):
    """The same while it is under load."""

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()

    def read(self, file: Path) -> bytes:
        if self.crowd:
            return super().read(file)
        self.kept.clear()
        return Static.read(self, file)


class KeptAWhile(Static):
    """Keeps each file for a tenth of a second unasked, once it is warm."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[Path, tuple[float, bytes]] = {}

    def read(self, file: Path) -> bytes:
        if self.answered <= WARM:
            return super().read(file)
        until, content = self.kept.get(file, (0.0, b""))
        if time.monotonic() > until:
            content = super().read(file)
            self.kept[file] = time.monotonic() + 0.1, content
        return content


CHEATS = {
    "revalidated": Revalidated,
    "kept": Kept,
    "lengths-of-pages": LengthsOfPages,
    "kept-when-warm": KeptWhenWarm,
    "kept-in-a-crowd": KeptInACrowd,
    "kept-a-while": KeptAWhile,
}
