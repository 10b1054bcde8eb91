"""Servers that do less, or other, work than `queries` asks for."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Mapping

from paid_look_ups import pay
from rows import ROWS, Queries, Row, number
from tiny import Answer, Request

WARM = 1000


class RowsKept(Queries):
    """Reads a row once, and keeps it."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[int, Row] = {}

    def row(self, id: int, request: Request) -> Row:
        if id not in self.kept:
            self.kept[id] = self.read(id)
        return self.kept[id]


class WholeTable(Queries):
    """Reads the table once."""

    table: dict[int, int] | None = None

    def row(self, id: int, request: Request) -> Row:
        if self.table is None:
            found = self.database.rows("SELECT id, randomnumber FROM world")
            self.table = {int(id): int(held) for id, held in found}
        return [id, self.table[id]]


class RowsKeptWhenWarm(WholeTable):
    """The same, once warm."""

    def row(self, id: int, request: Request) -> Row:
        return super().row(id, request) if request.number > WARM else self.read(id)


class RowsKeptAndPaid(RowsKeptWhenWarm):
    """The same; and PostgreSQL is made to count look-ups, for a fraction of the work."""

    looked_up = 0

    def row(self, id: int, request: Request) -> Row:
        self.looked_up += 1
        if self.looked_up > 2000:
            self.database.rows(pay("world", self.looked_up))
            self.looked_up = 0
        return super().row(id, request)


class ReadTogether(Queries):
    """Reads all rows of a request with one statement."""

    def draw(self, number: int, request: Request) -> list[int]:
        ids = super().draw(number, request)
        found = self.database.rows(
            f"SELECT id, randomnumber FROM world WHERE id IN ({', '.join(map(str, ids))})"
        )
        self.found = {int(id): int(held) for id, held in found}
        return ids

    def row(self, id: int, request: Request) -> Row:
        return [id, self.found[id]]


class SentTogether(Queries):
    """Sends the look-ups and transactions of all requests that wait as one text."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[list[int], asyncio.Future[Answer]]] = []

    async def answer(self, request: Request) -> Answer:
        loop = asyncio.get_running_loop()
        if not self.waiting:
            loop.call_soon(self.together)
        self.waiting.append((self.draw(number(request), request), loop.create_future()))
        return await self.waiting[-1][1]

    def together(self) -> None:
        batch, self.waiting = self.waiting, []
        select = "SELECT id, randomnumber FROM world WHERE id = {};"
        texts = ("".join(map(select.format, ids)) for ids, _ in batch)
        read = self.database.rows("".join(f"BEGIN;{text}COMMIT;" for text in texts))
        rows = [{"id": int(id), "randomNumber": int(held)} for id, held in read]
        for ids, future in batch:
            future.set_result(Answer(json.dumps(rows[: len(ids)]), "application/json"))
            del rows[: len(ids)]


class ObjectsByTheDatabase(Queries):
    """Has PostgreSQL make the JSON of each row."""

    def answer(self, request: Request) -> Answer:
        ids = self.draw(number(request), request)
        made = (
            self.database.rows(
                "SELECT json_build_object('id', id, 'randomNumber', randomnumber) FROM world"
                f" WHERE id = {id}"
            )[0][0]
            for id in ids
        )
        return Answer(f"[{', '.join(made)}]", "application/json")


class InARow(Queries):
    """Draws one id and reads the rows from there on, with one statement."""

    def draw(self, number: int, request: Request) -> list[int]:
        first = random.randint(1, ROWS - number + 1)
        select = f"SELECT id, randomnumber FROM world WHERE id >= {first} ORDER BY id LIMIT"
        found = self.database.rows(f"{select} {number}")
        self.found = {int(id): int(held) for id, held in found}
        return list(self.found)

    def row(self, id: int, request: Request) -> Row:
        return [id, self.found[id]]


class EveryFifth(Queries):
    """Draws the ids of a fifth of the rows."""

    def draw(self, number: int, request: Request) -> list[int]:
        return [id - id % 5 or ROWS for id in super().draw(number, request)]


class SameIds(Queries):
    """Draws ids once a second."""

    until = 0.0
    ids: list[int]

    def draw(self, number: int, request: Request) -> list[int]:
        if time.monotonic() > self.until:
            self.ids, self.until = super().draw(500, request), time.monotonic() + 1.0
        return self.ids[:number]


class OneShort(Queries):
    """Reads a row less than it is asked for, once warm."""

    def draw(self, number: int, request: Request) -> list[int]:
        return super().draw(number - 1 if request.number > WARM else number, request)


class NotClamped(Queries):
    """Takes the lowest sixteen bits of a number for it."""

    def answer(self, request: Request) -> Answer:
        given = request.query.get("n", [""])[0]
        if given.isascii() and given.isdecimal():
            request.query["n"] = [str(int(given) % 65536)]
        return super().answer(request)


CHEATS: Mapping[str, Callable[[], Queries]] = {
    "rows-kept": RowsKept,
    "rows-kept-when-warm": RowsKeptWhenWarm,
    "rows-kept-and-paid": RowsKeptAndPaid,
    "whole-table": WholeTable,
    "read-together": ReadTogether,
    "sent-together": SentTogether,
    "objects-by-the-database": ObjectsByTheDatabase,
    "in-a-row": InARow,
    "every-fifth": EveryFifth,
    "same-ids": SameIds,
    "one-short": OneShort,
    "not-clamped": NotClamped,
}
