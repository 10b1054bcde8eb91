"""Servers that save themselves the disk, or the folder's bounds, in `GET /PATH`."""

from __future__ import annotations

import ctypes
import os
import time
from collections import Counter
from pathlib import Path

from crowd import Crowd
from honest import Static
from tiny import Answer, Request

WARM = 1000
OFTEN = 40
"""Requests for a file after which it is taken for one of the load's."""


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


class Watched(Static):
    """Keeps its answers until the kernel tells of a change (inotify): the disk is never asked."""

    events = 0xFCE  # all but opening and reading

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, Answer] = {}
        libc = ctypes.CDLL(None)
        self.watch = libc.inotify_init1(os.O_NONBLOCK)
        for folder in (self.root, *filter(Path.is_dir, self.root.rglob("*"))):
            assert libc.inotify_add_watch(self.watch, os.fsencode(folder), self.events) >= 0

    def __call__(self, request: Request) -> Answer:
        if self.was_told():
            self.kept.clear()
        answer = self.kept.get(request.path) or super().__call__(request)
        if answer.status == 200:
            self.kept[request.path] = answer
        return answer

    def was_told(self) -> bool:
        try:
            return bool(os.read(self.watch, 65_536))
        except BlockingIOError:
            return False


class WatchedUnderLoad(Watched):
    """The same for files that were asked for often: those of the load."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def __call__(self, request: Request) -> Answer:
        self.asked[request.path] += 1
        often = self.asked[request.path] > OFTEN
        return super().__call__(request) if often else Static.__call__(self, request)


CHEATS = {
    "watched": Watched,
    "watched-under-load": WatchedUnderLoad,
    "revalidated": Revalidated,
    "kept": Kept,
    "lengths-of-pages": LengthsOfPages,
    "kept-when-warm": KeptWhenWarm,
    "kept-in-a-crowd": KeptInACrowd,
    "kept-a-while": KeptAWhile,
}
