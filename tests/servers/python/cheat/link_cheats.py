"""Servers that speak WebSocket otherwise, or mix up their connections."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from echo import Echo, Talk, echo
from frames import CLOSE, PONG, TEXT, frame
from tiny import Answer, Request


class WithoutPong(Talk):
    def pinged(self, payload: bytes) -> None:
        pass


class EmptyPong(Talk):
    """Answers a ping without its payload."""

    def pinged(self, payload: bytes) -> None:
        self.say(PONG, b"")


class Greets(Talk):
    """Speaks first."""

    def begin(self, transport: asyncio.Transport) -> None:
        super().begin(transport)
        self.say(TEXT, b"welcome")


class Masked(Talk):
    """Masks its frames, as only a client does."""

    def say(self, kind: int, payload: bytes) -> None:
        plain = frame(kind, payload)
        head = len(plain) - len(payload)
        first, length, *rest = plain[:head]
        self.transport.write(bytes([first, length | 0x80, *rest, 0, 0, 0, 0]) + payload)


class WithoutClose(Talk):
    """Ends the connection without a word."""

    def closed(self, payload: bytes) -> None:
        self.transport.close()


class StaysOpen(Talk):
    """Does not end the connection."""

    def closed(self, payload: bytes) -> None:
        self.say(CLOSE, payload[:2])


class OtherClose(Talk):
    """Closes with a code of its own."""

    def closed(self, payload: bytes) -> None:
        super().closed((1001).to_bytes(2, "big"))


class ToAnother(Talk):
    """Answers on the connection that spoke last before this one."""

    before: Talk | None = None

    def message(self, kind: int, payload: bytes) -> None:
        other, ToAnother.before = ToAnother.before, self
        (other or self).say(kind, payload)

    def ended(self) -> None:
        if ToAnother.before is self:
            ToAnother.before = None


class ToAll(Talk):
    """Tells all connections."""

    talks: ClassVar[set[Talk]] = set()

    def begin(self, transport: asyncio.Transport) -> None:
        super().begin(transport)
        self.talks.add(self)

    def ended(self) -> None:
        self.talks.discard(self)

    def message(self, kind: int, payload: bytes) -> None:
        for talk in self.talks:
            talk.say(kind, payload)


class WrongAccept(Echo):
    """Answers each key by the same value."""

    def accept(self, key: str) -> str:
        return super().accept("dGhlIHNhbXBsZSBub25jZQ==")


class TakesUnoffered(Echo):
    """Takes an extension that nobody offered."""

    def answer(self, request: Request) -> Answer:
        answer = super().answer(request)
        return answer._replace(
            fields=answer.fields + "Sec-WebSocket-Extensions: permessage-deflate\r\n"
        )


class Everywhere(Echo):
    """Upgrades any path."""

    def __call__(self, request: Request) -> Answer:
        upgrade = "upgrade" in request.headers
        return self.answer(request) if upgrade else super().__call__(request)


class EverywhereWrongly(Everywhere):
    """The same, with a wrong accept value on other paths."""

    def answer(self, request: Request) -> Answer:
        answer = super().answer(request)
        if request.path == self.path:
            return answer
        return answer._replace(fields=answer.fields.replace("Accept: ", "Accept: x"))


class PlainToo(Echo):
    """Answers a request without an upgrade, too."""

    def plain(self) -> Answer:
        return Answer("hello")


CHEATS = {
    "without-pong": echo(WithoutPong),
    "empty-pong": echo(EmptyPong),
    "greets": echo(Greets),
    "masked": echo(Masked),
    "without-close": echo(WithoutClose),
    "stays-open": echo(StaysOpen),
    "other-close": echo(OtherClose),
    "to-another": echo(ToAnother),
    "to-all": echo(ToAll),
    "wrong-accept": WrongAccept,
    "takes-unoffered": TakesUnoffered,
    "everywhere": Everywhere,
    "everywhere-wrongly": EverywhereWrongly,
    "plain-too": PlainToo,
}
