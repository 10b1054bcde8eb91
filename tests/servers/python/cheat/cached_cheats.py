"""Servers that keep rows for longer, or in another way, than `GET /cached?n=N` allows."""

from __future__ import annotations

import math
import time

from rows import Cached, Row
from tiny import Answer, Request

WARM = 1000


class NeverExpires(Cached):
    """Keeps rows for ever."""

    def ttl(self, request: Request) -> float:
        return math.inf


class NeverExpiresUnderLoad(Cached):
    """Keeps rows for ever once warm, on all but the trial's own connections."""

    def __init__(self) -> None:
        super().__init__()
        self.for_ever: dict[int, Row] = {}

    def row(self, id: int, request: Request) -> Row:
        if request.connection <= 8 or request.number <= WARM:
            return super().row(id, request)
        if id not in self.for_ever:
            self.for_ever[id] = self.read(id)
        return self.for_ever[id]


class KeptTooLongWhenWarm(Cached):
    """Once warm, keeps rows for as much longer as a busy machine might."""

    def ttl(self, request: Request) -> float:
        return super().ttl(request) + (1.2 if request.number > WARM else 0.0)


class KeptWhileAskedFor(Cached):
    """Keeps a row until nobody has asked for it for as long as it may be kept."""

    def row(self, id: int, request: Request) -> Row:
        row = super().row(id, request)
        self.kept[id] = time.monotonic() + self.ttl_s, row
        return row


class TimeOfItsOwn(Cached):
    """Keeps rows for a time that is written into the program."""

    def ttl(self, request: Request) -> float:
        return 0.2


class NotKept(Cached):
    """Reads each row for each answer."""

    def ttl(self, request: Request) -> float:
        return 0.0


class SameIds(Cached):
    """Draws ids once a second."""

    until = 0.0
    ids: list[int]

    def draw(self, number: int, request: Request) -> list[int]:
        if time.monotonic() > self.until:
            self.ids, self.until = super().draw(500, request), time.monotonic() + 1.0
        return self.ids[:number]


class AnswersKept(Cached):
    """Gives an answer for ten milliseconds, once warm."""

    until = 0.0
    last: Answer

    def answer(self, request: Request) -> Answer:
        if request.number <= WARM or time.monotonic() > self.until:
            self.last, self.until = super().answer(request), time.monotonic() + 0.01
        return self.last


class ReadTogether(Cached):
    """Reads all rows with one statement when the first of them is too old."""

    until = 0.0
    together = "SELECT id, randomnumber FROM world"

    def row(self, id: int, request: Request) -> Row:
        if (now := time.monotonic()) >= self.until:
            found = self.database.rows(self.together)
            self.table = {int(key): [int(key), int(held)] for key, held in found}
            self.until = now + self.ttl_s
        return self.table[id]


class ReadTogetherAndPaid(ReadTogether):
    """The same, in a way in which PostgreSQL looks up each row by itself."""

    together = (
        "SELECT found.id, randomnumber FROM generate_series(1, 100) AS one,"
        " LATERAL (SELECT id, randomnumber FROM world WHERE id = one OFFSET 0) AS found"
    )


CHEATS = {
    "never-expires": NeverExpires,
    "never-expires-under-load": NeverExpiresUnderLoad,
    "kept-too-long-when-warm": KeptTooLongWhenWarm,
    "kept-while-asked-for": KeptWhileAskedFor,
    "time-of-its-own": TimeOfItsOwn,
    "not-kept": NotKept,
    "same-ids": SameIds,
    "answers-kept": AnswersKept,
    "read-together": ReadTogether,
    "read-together-and-paid": ReadTogetherAndPaid,
}
