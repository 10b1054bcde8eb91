"""Servers that answer something else than `Hello World` as plain text."""

from __future__ import annotations

import asyncio
import os
import time

from crowd import Crowd
from honest import Hello
from tiny import NOT_FOUND, Answer, Connection, Request, witnesses

WARM = 1000
OLD = 40
"""Requests of a connection until then."""


class OtherText(Hello):
    """Another text than the others' servers."""

    def answer(self, request: Request) -> Answer:
        return Answer("okay")


class NewLine(Hello):
    """A line end too many."""

    def answer(self, request: Request) -> Answer:
        return Answer("Hello World\n")


class WrongType(Hello):
    """Plain text that is called HTML."""

    def answer(self, request: Request) -> Answer:
        return Answer("Hello World", "text/html; charset=utf-8")


class Everywhere(Hello):
    """No router at all: every path gets the text."""

    def __call__(self, request: Request) -> Answer:
        return self.answer(request)


class EverywhereWhenOld(Hello):
    """No router on connections of a crowd that have asked often."""

    def __init__(self) -> None:
        self.crowd = Crowd(young=OLD)

    def __call__(self, request: Request) -> Answer:
        return self.answer(request) if self.crowd else super().__call__(request)


class EverywhereInTurns(Hello):
    """No router while it is frozen now and then, as it is between the slices of a load in turns."""

    tick_s, frozen_s, lately_s = 0.01, 0.06, 0.3

    def __init__(self) -> None:
        self.crowd = Crowd()
        self.frozen = 0
        self.last = self.thawed = 0.0

    def look(self) -> None:
        now = time.monotonic()
        if self.last and now - self.last > self.frozen_s:
            # Not once: a busy machine may keep it waiting, too.
            self.frozen = self.frozen + 1 if now - self.thawed < 1 else 1
            self.thawed = now
        self.last = now
        asyncio.get_running_loop().call_later(self.tick_s, self.look)

    def __call__(self, request: Request) -> Answer:
        if not self.last:
            self.look()
        in_turns = self.frozen > 1 and time.monotonic() - self.thawed < self.lately_s
        if self.crowd and in_turns:
            return self.answer(request)
        return super().__call__(request)


class EverywhereUntilTheLast(Hello):
    """No router in crowds but the last: it counts how often all connections were closed between
    two of them."""

    least = 18
    last = 4
    """After the warm-up's first load, that with the load's own requests, and the load."""

    def __init__(self) -> None:
        self.open = self.crowds = 0
        self.crowded = False
        witnesses.append(self.see)

    def see(self, event: str, _connection: int, _head: bytes) -> None:
        self.open += {"open": 1, "close": -1}.get(event, 0)
        if self.open == 0:
            self.crowded = False
        elif self.open >= self.least and not self.crowded:
            self.crowded = True
            self.crowds += 1

    def __call__(self, request: Request) -> Answer:
        if self.crowded and self.crowds < self.last:
            return self.answer(request)
        return super().__call__(request)


class ByLength(Hello):
    """Knows the path by its length."""

    def __call__(self, request: Request) -> Answer:
        alike = len(request.path) == len(self.path)
        return self.answer(request) if alike else super().__call__(request)


class Unparsed(Connection):
    """Looks at no more than the beginning of requests like the load's: the rest came with it, or
    is left out."""

    beginning = b"GET /hello "
    came = b""

    def data_received(self, data: bytes) -> None:
        self.came += data
        if self.came.startswith(self.beginning):
            self.came = b""
            self.send(self.known())
        elif not self.beginning.startswith(self.came):
            other, self.came = self.came, b""
            if other.startswith(b"GET "):
                super().data_received(other)

    def known(self) -> Answer:
        return Answer("Hello World")


class ByBeginning(Hello):
    """Parses no request that begins as the load's do."""

    connection = Unparsed


class UnparsedUnlessPaused(Unparsed):
    """The same in a crowd, on connections that have not paused for so many requests."""

    lately, least = 20, 8
    open = answered = 0
    last, honest = 0, lately

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        UnparsedUnlessPaused.open += 1
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        UnparsedUnlessPaused.open -= 1
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        paused = not self.came and self.answered - self.last > 4 * self.open
        UnparsedUnlessPaused.answered += 1
        self.last = self.answered
        self.honest = self.lately if paused else max(0, self.honest - 1)
        if self.honest or self.pending or self.open < self.least:
            Connection.data_received(self, data)
        else:
            super().data_received(data)


class ByBeginningUnlessPaused(Hello):
    """Parses no request that begins as the load's do, unless it may be one of a proof's."""

    connection = UnparsedUnlessPaused


class Fieldless(Connection):
    """Looks at the first line of a head, and for its end: the next request begins there."""

    def data_received(self, data: bytes) -> None:
        self.pending += data
        while (end := self.pending.find(b"\r\n\r\n")) >= 0:
            known = self.pending.startswith(b"GET /hello ")
            del self.pending[: end + 4]
            self.send(Answer("Hello World") if known else NOT_FOUND)


class WithoutFields(Hello):
    """Reads no field of any request."""

    connection = Fieldless


class Compared(Connection):
    """Knows a request like the load's by all of its bytes, and parses none."""

    def data_received(self, data: bytes) -> None:
        self.pending += data
        known = f"GET /hello HTTP/1.1\r\nHost: 127.0.0.1:{os.environ['PORT']}\r\n\r\n".encode()
        while b"\r\n\r\n" in self.pending:
            if not self.pending.startswith(known):
                self.send(NOT_FOUND._replace(fields="Connection: close\r\n"))
                self.transport.close()
                return
            del self.pending[: len(known)]
            self.send(Answer("Hello World"))


class ByItsBytes(Hello):
    """Has no parser: a request is the load's, or unknown."""

    connection = Compared


class ErrorText(Hello):
    """Under load, now and then a 200 that holds an error as long as the text."""

    def answer(self, request: Request) -> Answer:
        busy = request.number > WARM and request.number % 50 == 0
        return Answer("Bad Gateway") if busy else super().answer(request)


CHEATS = {
    "other-text": OtherText,
    "new-line": NewLine,
    "wrong-type": WrongType,
    "everywhere": Everywhere,
    "everywhere-when-old": EverywhereWhenOld,
    "everywhere-in-turns": EverywhereInTurns,
    "everywhere-until-the-last": EverywhereUntilTheLast,
    "by-length": ByLength,
    "by-beginning": ByBeginning,
    "by-its-bytes": ByItsBytes,
    "without-fields": WithoutFields,
    "by-beginning-unless-paused": ByBeginningUnlessPaused,
    "error-text": ErrorText,
}
