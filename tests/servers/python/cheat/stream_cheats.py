"""Servers that do not wait for their clients, or make other pieces than `GET /stream` asks for."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Iterator
from typing import ClassVar

from crowd import Crowd
from honest import Stream
from tiny import Answer, Connection, Request

WARM = 1000
OLD = 40
"""Requests of a connection until then."""


def other_tag() -> str:
    return str(secrets.randbelow(9 * 10**17) + 10**17)


class Collects(Stream):
    """Makes the whole answer before it sends any of it."""

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        return iter([*super().pieces(n, tag, request)])


class NeverWaits(Stream):
    """Hands over piece after piece, whether the client reads or not."""

    def streamed(self, n: int, tag: str, request: Request) -> Answer:
        return super().streamed(n, tag, request)._replace(waits=False)


class CollectsInACrowd(Stream):
    """Makes the whole answer first, while it is crowded."""

    def __init__(self) -> None:
        self.crowd = Crowd()

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        made = super().pieces(n, tag, request)
        return iter([*made]) if self.crowd else made


class CollectsWhenOld(CollectsInACrowd):
    """The same, on connections that have asked often."""

    def __init__(self) -> None:
        self.crowd = Crowd(young=OLD)


class CollectsUnlessRepeated(CollectsInACrowd):
    """The same, unless a tag has lately come twice, as none of the load's does."""

    lately = 500

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.repeated = -self.lately

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        if tag in self.tags:
            self.repeated = request.number
        self.tags.add(tag)
        if request.number < self.repeated + self.lately:
            return Stream.pieces(self, n, tag, request)
        return super().pieces(n, tag, request)


class Measured(Connection):
    """Knows by how much its client scales the window that it offers."""

    scales: ClassVar[dict[int, int]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        connected = transport.get_extra_info("socket")
        told = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 8)
        self.scales[self.number] = told[6] & 15


class CollectsUnlessNarrow(Stream):
    """Makes the whole answer first, unless the client has less room for it than others had."""

    connection = Measured

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        made = super().pieces(n, tag, request)
        widest = max(Measured.scales.values())
        return iter([*made]) if Measured.scales[request.connection] == widest else made


class StampedOnce(Stream):
    """Looks at the clock once an answer."""

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        now = self.now()
        return (self.piece(number, tag, now) for number in range(n))


class StampedAhead(Stream):
    """Says that its pieces are made later than they are."""

    def now(self) -> float:
        return super().now() + 1.0


class WithLength(Stream):
    """Sends the answer in one, with its length."""

    def streamed(self, n: int, tag: str, request: Request) -> Answer:
        return Answer(b"".join(self.pieces(n, tag, request)))


class WithLengthWhenWarm(WithLength):
    """The same, under load only."""

    def streamed(self, n: int, tag: str, request: Request) -> Answer:
        whole = super().streamed(n, tag, request)
        return whole if request.number > WARM else Stream.streamed(self, n, tag, request)


class ShortOnesStampedOnce(StampedOnce):
    """Looks at the clock once an answer, of those that a client's buffers hold."""

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        short = n <= 257
        return (super() if short else super(StampedOnce, self)).pieces(n, tag, request)


class NumberedFromOne(Stream):
    def piece(self, number: int, tag: str, now: float) -> bytes:
        return super().piece(number + 1, tag, now)


class OtherTag(Stream):
    def piece(self, number: int, tag: str, now: float) -> bytes:
        return super().piece(number, other_tag() if number == 3 else tag, now)


class FewerDots(Stream):
    def piece(self, number: int, tag: str, now: float) -> bytes:
        return super().piece(number, tag, now).replace(b"..", b". ", 1)


class AnyNumber(Stream):
    """Takes what is no number for one."""

    def answer(self, request: Request) -> Answer:
        answer = super().answer(request)
        tag = request.query.get("tag", [""])[0]
        return self.streamed(1, tag, request) if answer.status == 400 else answer


class ShortWhenWarm(Stream):
    """Under load, one answer in twenty lacks a piece."""

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        short = request.number > WARM and request.number % 20 == 0
        return super().pieces(n - 1 if short else n, tag, request)


class OtherTagWhenWarm(Stream):
    """Under load, one answer in twenty has a tag of its own."""

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        other = request.number > WARM and request.number % 20 == 0
        return super().pieces(n, other_tag() if other else tag, request)


class RepeatsWhenWarm(Stream):
    """Under load, gives the pieces of each answer twice."""

    last: tuple[bytes, ...] = ()

    def pieces(self, n: int, tag: str, request: Request) -> Iterator[bytes]:
        if request.number <= WARM:
            return super().pieces(n, tag, request)
        if request.number % 2 or len(self.last) != n:
            self.last = (*super().pieces(n, tag, request),)
        return iter(self.last)


CHEATS = {
    "collects": Collects,
    "never-waits": NeverWaits,
    "collects-in-a-crowd": CollectsInACrowd,
    "collects-unless-repeated": CollectsUnlessRepeated,
    "collects-when-old": CollectsWhenOld,
    "collects-unless-narrow": CollectsUnlessNarrow,
    "stamped-once": StampedOnce,
    "stamped-ahead": StampedAhead,
    "with-length": WithLength,
    "with-length-when-warm": WithLengthWhenWarm,
    "short-ones-stamped-once": ShortOnesStampedOnce,
    "numbered-from-one": NumberedFromOne,
    "other-tag": OtherTag,
    "fewer-dots": FewerDots,
    "any-number": AnyNumber,
    "short-when-warm": ShortWhenWarm,
    "other-tag-when-warm": OtherTagWhenWarm,
    "repeats-when-warm": RepeatsWhenWarm,
}
