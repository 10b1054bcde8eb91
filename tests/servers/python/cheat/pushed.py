"""Server-sent events, done honestly. The cheats override one method each."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import NamedTuple

from honest import Hello
from tiny import Answer, Request

MOST, LONGEST_MS = 10_000, 1000


class Asked(NamedTuple):
    """What a client asks for: the events after `after` up to `n`."""

    n: int
    tag: str
    gap_ms: int
    after: int
    number: int
    """The request's own, counted over the whole server."""


class Events(Hello):
    path = "/events"

    def answer(self, request: Request) -> Answer:
        asked = self.asked(request)
        if asked is None:
            return Answer("a parameter is none", status=400)
        return self.pushed(asked) if asked.after < asked.n else Answer(b"", status=204)

    def asked(self, request: Request) -> Asked | None:
        tag = request.query.get("tag", [""])[0]
        count = whole(request.query.get("n", [""])[0])
        gap_ms = whole(request.query.get("gap", ["0"])[0])
        after = whole(request.headers.get("last-event-id", "0"))
        if not 1 <= count <= MOST or not 0 <= gap_ms <= LONGEST_MS or not 0 <= after <= count:
            return None
        if not re.fullmatch("[0-9]{18}", tag):
            return None
        return Asked(count, tag, gap_ms, after, request.number)

    def pushed(self, asked: Asked) -> Answer:
        return Answer(
            b"",
            "text/event-stream",
            pieces=self.events(asked),
            gap_s=asked.gap_ms / 1e3,
            fields="Cache-Control: no-cache\r\n",
        )

    def events(self, asked: Asked) -> Iterator[bytes]:
        numbers = range(asked.after + 1, asked.n + 1)
        return (self.event(number, asked.tag, self.now()) for number in numbers)

    def now(self) -> float:
        return time.time()

    def event(self, number: int, tag: str, now: float) -> bytes:
        return f"id: {number}\ndata: {self.data(number, tag, now)}\n\n".encode()

    def data(self, number: int, tag: str, now: float) -> str:
        return f'{{"number":{number},"tag":"{tag}","made":{int(now * 1e6):016}}}'


def whole(text: str) -> int:
    """The number that `text` is; -1 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


HONEST = {"sse": Events}
