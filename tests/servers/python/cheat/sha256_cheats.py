"""Servers that do less, or other, work than `GET /benchmark?n=N` asks for."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from crowd import Crowd
from honest import Sha256
from tiny import Answer, Request

WARM = 1000


class CachedPerN(Sha256):
    """Keeps every answer by its n."""

    def __init__(self) -> None:
        self.kept: dict[int, str] = {}

    def chain(self, n: int, request: Request) -> str:
        if n not in self.kept:
            self.kept[n] = super().chain(n, request)
        return self.kept[n]


class CachedWhenWarm(CachedPerN):
    """Keeps answers once a thousand requests have come."""

    def chain(self, n: int, request: Request) -> str:
        if request.number > WARM:
            return super().chain(n, request)
        return Sha256.chain(self, n, request)


class CachedUnderLoad(CachedPerN):
    """Keeps answers under load only: the trial's own connections are few and come first."""

    def chain(self, n: int, request: Request) -> str:
        if request.connection > 8:
            return super().chain(n, request)
        return Sha256.chain(self, n, request)


class CachedByContent(Sha256):
    """Reads the file for each answer, and hashes it only where it has not seen it with this n."""

    def __init__(self) -> None:
        self.kept: dict[tuple[bytes, int], str] = {}

    def digest(self, content: bytes, n: int) -> str:
        if (content, n) not in self.kept:
            self.kept[content, n] = super().digest(content, n)
        return self.kept[content, n]


class ReadOnce(Sha256):
    """Reads the file at the first request."""

    content = b""

    def read(self) -> bytes:
        self.content = self.content or super().read()
        return self.content


class ReadOnceInACrowd(Sha256):
    """Keeps the file while many connections are open, and only on those that are not young."""

    def __init__(self) -> None:
        self.crowd = Crowd(least=16, young=20)
        self.content = b""

    def read(self) -> bytes:
        if not self.crowd:
            return super().read()
        self.content = self.content or super().read()
        return self.content


class ReadWhenTouched(Sha256):
    """Reads the file again only when its time of modification or its inode has changed."""

    stamp: tuple[int, int] = (0, 0)
    content = b""

    def read(self) -> bytes:
        seen = os.stat(os.environ["WEBDYNO_FILE"])
        if (seen.st_mtime_ns, seen.st_ino) != self.stamp:
            self.stamp, self.content = (seen.st_mtime_ns, seen.st_ino), super().read()
        return self.content


class ReadWhenChanged(Sha256):
    """Reads the file again only when anything that `stat` shows has changed."""

    stamp: tuple[int, int, int] = (0, 0, 0)
    content = b""

    def read(self) -> bytes:
        seen = os.stat(os.environ["WEBDYNO_FILE"])
        now = (seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
        if now != self.stamp:
            self.stamp, self.content = now, super().read()
        return self.content


class KeepsOpen(Sha256):
    """Opens the file once and reads the same descriptor for ever."""

    def __init__(self) -> None:
        self.descriptor = os.open(os.environ["WEBDYNO_FILE"], os.O_RDONLY)

    def read(self) -> bytes:
        return os.pread(self.descriptor, 1 << 20, 0)


class SkipsRounds(Sha256):
    """Stops after two hundred rounds."""

    def digest(self, content: bytes, n: int) -> str:
        return super().digest(content, min(n, 200))


class HashesOnce(Sha256):
    """Hashes the file once and chains the digests alone."""

    def digest(self, content: bytes, n: int) -> str:
        last = hashlib.sha256(content).digest()
        for _ in range(n - 1):
            last = hashlib.sha256(last).digest()
        return last.hex()


class KeepsState(Sha256):
    """Goes on from the hash's state after the file: right answers for 1/256 of the work."""

    def digest(self, content: bytes, n: int) -> str:
        state = hashlib.sha256(content)
        last = state.digest()
        for _ in range(n - 1):
            following = state.copy()
            following.update(last)
            last = following.digest()
        return last.hex()


class KeepsStateWhenWarm(KeepsState):
    """The same once a thousand requests have come."""

    def chain(self, n: int, request: Request) -> str:
        if request.number > WARM:
            return super().chain(n, request)
        return Sha256.digest(self, self.read(), n)


class EightBits(Sha256):
    """Parses n into eight bits."""

    def digest(self, content: bytes, n: int) -> str:
        return super().digest(content, n % 256)


class SixteenBits(Sha256):
    """Parses n into sixteen bits."""

    def digest(self, content: bytes, n: int) -> str:
        return super().digest(content, n % 65536)


class Lenient(Sha256):
    """Reads as much of n as is a number, and 1 where nothing is."""

    def answer(self, request: Request) -> Answer:
        text = request.query.get("n", [""])[0]
        digits = text[: next((i for i, c in enumerate(text) if not c.isdigit()), len(text))]
        return Answer(self.chain(max(1, min(int(digits or 1), 100_000)), request))


class UpperCase(Sha256):
    """Digests in upper case."""

    def digest(self, content: bytes, n: int) -> str:
        return super().digest(content, n).upper()


class ErrorText(Sha256):
    """Under load, now and then a 200 that holds an error as long as a digest."""

    def answer(self, request: Request) -> Answer:
        if request.number > WARM and request.number % 50 == 0:
            return Answer("error: too many requests".ljust(64))
        return super().answer(request)


class ForgetsFile(Sha256):
    """Under load, hashes an empty text instead of the file."""

    def chain(self, n: int, request: Request) -> str:
        return self.digest(b"" if request.number > WARM else self.read(), n)


class LinksOut(Sha256):
    """Puts links where Webdyno looks: in the place of the file that the verifier writes to, and of
    its own temporary folder. An honest answer follows."""

    def __init__(self) -> None:
        self.link(Path(os.environ["WEBDYNO_FILE"]), Path("server.toml").resolve())
        temporary = Path(os.environ["TMPDIR"])
        temporary.rename(f"{temporary}.moved")
        self.link(temporary, Path("/"))

    def link(self, place: Path, target: Path) -> None:
        beside = place.with_name(f"beside-{place.name}")
        try:
            beside.symlink_to(target)
            beside.replace(place)
            print(f"LINKED {place.name}", flush=True)
        except OSError as refused:
            print(f"REFUSED {place.name}: {refused}", flush=True)


CHEATS = {
    "links-out": LinksOut,
    "cached-per-n": CachedPerN,
    "cached-when-warm": CachedWhenWarm,
    "cached-under-load": CachedUnderLoad,
    "cached-by-content": CachedByContent,
    "read-once": ReadOnce,
    "read-once-in-a-crowd": ReadOnceInACrowd,
    "read-when-touched": ReadWhenTouched,
    "read-when-changed": ReadWhenChanged,
    "keeps-open": KeepsOpen,
    "skips-rounds": SkipsRounds,
    "hashes-once": HashesOnce,
    "keeps-state": KeepsState,
    "keeps-state-when-warm": KeepsStateWhenWarm,
    "eight-bits": EightBits,
    "sixteen-bits": SixteenBits,
    "lenient": Lenient,
    "upper-case": UpperCase,
    "error-text": ErrorText,
    "forgets-file": ForgetsFile,
}
