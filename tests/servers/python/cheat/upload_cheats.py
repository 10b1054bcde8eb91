"""Servers that hash less of a body than `POST /upload` asks for, or do not take every body."""

from __future__ import annotations

import hashlib
import re
import secrets

from crowd import Crowd
from honest import Upload
from tiny import Answer, Request, witnesses

WARM = 1000
LIMIT = 10_000_000
NUMBER = 18


class FirstKilobyte(Upload):
    """Hashes the first kilobyte."""

    def digest(self, body: bytes, request: Request) -> str:
        return super().digest(body[:1024], request)


class ByBothEnds(Upload):
    """Keeps digests by the length of a body and 64 bytes of each of its ends."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, bytes, bytes], str] = {}

    def digest(self, body: bytes, request: Request) -> str:
        key = len(body), body[:64], body[-64:]
        if key not in self.kept:
            self.kept[key] = super().digest(body, request)
        return self.kept[key]


class RestInACrowd(Upload):
    """Reads no more than the beginning while it is crowded: the rest is what it was before."""

    def __init__(self) -> None:
        self.crowd = Crowd()
        self.rest: dict[int, bytes] = {}

    def digest(self, body: bytes, request: Request) -> str:
        if self.crowd and len(body) > 1000:
            rest = self.rest.setdefault(len(body), body[NUMBER:])
            return super().digest(body[:NUMBER] + rest, request)
        return super().digest(body, request)


class RestByArrival(Upload):
    """Reads no more than the beginning where body and head come together, as the load's do."""

    def __init__(self) -> None:
        self.rest: dict[int, bytes] = {}

    def digest(self, body: bytes, request: Request) -> str:
        if request.joined and len(body) > 10_000:
            rest = self.rest.setdefault(len(body), body[NUMBER:])
            return super().digest(body[:NUMBER] + rest, request)
        return super().digest(body, request)


class RestWhenWarm(Upload):
    """Under load, reads no more than the beginning of a body."""

    def __init__(self) -> None:
        self.rest: dict[int, bytes] = {}

    def digest(self, body: bytes, request: Request) -> str:
        if request.number > WARM and len(body) > 10_000:
            rest = self.rest.setdefault(len(body), body[NUMBER:])
            return super().digest(body[:NUMBER] + rest, request)
        return super().digest(body, request)


class RestByBirth(Upload):
    """Reads the beginning of a body like the load's, and those places of its end in which earlier
    ones differed, on connections that were opened beside so many others."""

    least, tail, most, learning = 6, 60_000, 65_536, 20

    def __init__(self) -> None:
        self.open = self.seen = 0
        self.beside: dict[int, int] = {}
        self.kept = b""
        self.places: set[int] = set()
        witnesses.append(self.see)

    def see(self, event: str, connection: int, _head: bytes) -> None:
        if event == "open":
            self.beside[connection] = self.open
            self.open += 1
        elif event == "close":
            del self.beside[connection]
            self.open -= 1

    def digest(self, body: bytes, request: Request) -> str:
        like = self.tail < len(body) <= self.most and "content-length" in request.headers
        if self.beside[request.connection] < self.least or not like:
            return super().digest(body, request)
        begin, end = body[: -self.tail], body[-self.tail :]
        if self.seen < self.learning:
            self.seen += 1
            self.kept = self.kept or end
            changed = int.from_bytes(end) ^ int.from_bytes(self.kept)
            marks = re.finditer(rb"[^\0]", changed.to_bytes(self.tail))
            self.places |= {mark.start() for mark in marks}
            return super().digest(body, request)
        made = bytearray(self.kept)
        for place in self.places:
            made[place] = end[place]
        return super().digest(begin + made, request)


class RestUnlessRepeated(RestByBirth):
    """The same, unless a body's number has come before, as none of the load's has."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: set[bytes] = set()

    def digest(self, body: bytes, request: Request) -> str:
        number = body[:NUMBER]
        repeated = number in self.numbers
        self.numbers.add(number)
        return Upload.digest(self, body, request) if repeated else super().digest(body, request)


class RepeatsWhenWarm(Upload):
    """Under load, gives each digest twice."""

    last = ""

    def digest(self, body: bytes, request: Request) -> str:
        if request.number <= WARM or request.number % 2 or not self.last:
            self.last = super().digest(body, request)
        return self.last


class MadeUpWhenWarm(Upload):
    """Under load, one digest in twenty is made up."""

    def digest(self, body: bytes, request: Request) -> str:
        if request.number > WARM and request.number % 20 == 0:
            return secrets.token_hex(32)
        return super().digest(body, request)


class TextOnly(Upload):
    """Takes the body for text."""

    def digest(self, body: bytes, request: Request) -> str:
        return super().digest(body.decode("utf-8", "replace").encode(), request)


class WithLengthOnly(Upload):
    """Takes a body without a Content-Length to be empty."""

    def answer(self, request: Request) -> Answer:
        chunked = "content-length" not in request.headers
        return super().answer(request._replace(body=b"") if chunked else request)


class FewParts(Upload):
    """Fails at forms of more than 4,096 parts, as a library does that parses them unasked."""

    def answer(self, request: Request) -> Answer:
        if request.body.count(b"Content-Disposition: form-data") > 4096:
            return Answer("too many parts", status=500)
        return super().answer(request)


class Limited(Upload):
    """Refuses bodies of over ten megabytes."""

    def answer(self, request: Request) -> Answer:
        if len(request.body) > LIMIT:
            return Answer("too large", status=400)
        return super().answer(request)


class ByGet(Upload):
    """Answers any method."""

    def answer(self, request: Request) -> Answer:
        return self.told(request)


class UpperCase(Upload):
    """Digests in upper case."""

    def digest(self, body: bytes, request: Request) -> str:
        return hashlib.sha256(body).hexdigest().upper()


CHEATS = {
    "first-kilobyte": FirstKilobyte,
    "by-both-ends": ByBothEnds,
    "rest-in-a-crowd": RestInACrowd,
    "rest-by-arrival": RestByArrival,
    "rest-when-warm": RestWhenWarm,
    "rest-by-birth": RestByBirth,
    "rest-unless-repeated": RestUnlessRepeated,
    "repeats-when-warm": RepeatsWhenWarm,
    "made-up-when-warm": MadeUpWhenWarm,
    "text-only": TextOnly,
    "with-length-only": WithLengthOnly,
    "few-parts": FewParts,
    "limited": Limited,
    "by-get": ByGet,
    "upper-case": UpperCase,
}
