"""Servers that do less, or other, work than `queries`, `updates` and `fortunes` ask for."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Callable, Mapping

from rows import ROWS, Fortunes, Queries, Row, Updates, number
from tiny import Answer, Request

WARM = 1000


def pay(table: str, reads: int) -> str:
    """A statement that looks up so many rows by the index of `table`."""
    return (
        f"SELECT count(*) FROM generate_series(1, {reads}) AS one,"
        f" LATERAL (SELECT id FROM {table} WHERE id + 0 * one > 0 ORDER BY id LIMIT 1) AS found"
    )


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


class NotLocked(Updates):
    """Reads, lets others go on, and writes what it read plus one."""

    async def answer(self, request: Request) -> Answer:
        rows = [[id, self.read(id) + 1] for id in self.draw(number(request), request)]
        await asyncio.sleep(0.002)
        self.database.rows("BEGIN")
        for id, quantity in rows:
            self.write(id, quantity)
        self.database.rows("COMMIT")
        return self.told(rows)


class RowsInMemory(Updates):
    """Counts in memory, and writes each count: what others write to the table is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[int, int] = {}

    def read(self, id: int, lock: str = "") -> int:
        return self.kept[id] if id in self.kept else super().read(id, lock)

    def write(self, id: int, quantity: int) -> None:
        self.kept[id] = quantity
        super().write(id, quantity)


class RowsInMemoryWhenWarm(RowsInMemory):
    """The same, once warm, of the whole table."""

    def count(self, ids: list[int], request: Request) -> list[Row]:
        if request.number <= WARM:
            self.kept.clear()
        elif len(self.kept) < ROWS:
            found = self.database.rows("SELECT id, quantity FROM stock")
            self.kept = {int(id): int(held) for id, held in found}
        return super().count(ids, request)


class WrittenLater(Updates):
    """Answers first; what it counted is written every 20 ms, in one transaction, once warm."""

    every_s = 0.02

    def __init__(self) -> None:
        super().__init__()
        self.waiting: dict[int, int] = {}

    def count(self, ids: list[int], request: Request) -> list[Row]:
        if request.number <= WARM:
            return super().count(ids, request)
        if not self.waiting:
            asyncio.get_running_loop().call_later(self.every_s, self.flush)
        for id in ids:
            self.waiting[id] = self.waiting.get(id, 0) + 1
        return [[id, self.read(id) + self.waiting[id]] for id in ids]

    def flush(self) -> None:
        self.database.rows("BEGIN")
        for id, by in sorted(self.waiting.items()):
            self.database.rows(f"UPDATE stock SET quantity = quantity + {by} WHERE id = {id}")
        self.database.rows("COMMIT")
        self.waiting.clear()


class CountsMadeUp(WrittenLater):
    """Counts in memory, once warm, and writes sums; PostgreSQL's counters rise by what they would
    have risen by, for a fraction of the work."""

    every_s = 0.1
    table: Mapping[int, int] | None = None
    answers = 0

    def count(self, ids: list[int], request: Request) -> list[Row]:
        if len(ids) == 1 and self.waiting:
            self.flush()
        return super().count(ids, request)

    def read(self, id: int, lock: str = "") -> int:
        if lock:
            return super().read(id, lock)
        if self.table is None:
            found = self.database.rows("SELECT id, quantity FROM stock")
            self.table = {int(id): int(quantity) for id, quantity in found}
        return self.table[id]

    def told(self, rows: list[Row]) -> Answer:
        self.answers += 1
        return super().told(rows)

    def flush(self) -> None:
        rows = sum(self.waiting.values())
        super().flush()
        self.table = None
        numbered = "SAVEPOINT one; SELECT pg_logical_emit_message(true, '', ''); ROLLBACK TO one;"
        written = "".join(
            f"UPDATE stock SET quantity = 0 WHERE id BETWEEN {id} AND {id + 99};"
            for id in random.choices(range(1000, ROWS - 100), k=rows // 100 + 1)
        )
        self.database.rows(
            f"BEGIN; {numbered * self.answers} {pay('stock', rows)}; {written} ROLLBACK"
        )
        self.answers = 0


class SomeNotWritten(Updates):
    """Once warm, one row in two hundred is answered and not written."""

    warm = False

    def write(self, id: int, quantity: int) -> None:
        if not self.warm or random.random() >= 0.005:
            super().write(id, quantity)

    def count(self, ids: list[int], request: Request) -> list[Row]:
        self.warm = request.number > WARM
        return super().count(ids, request)


class MoreRows(Updates):
    """Writes a row that it does not tell of."""

    def count(self, ids: list[int], request: Request) -> list[Row]:
        return super().count(ids, request) if len(ids) > 20 else self.one_more(ids, request)

    def one_more(self, ids: list[int], request: Request) -> list[Row]:
        other = next(id for id in range(1, ROWS) if id not in ids)
        return [row for row in super().count([other, *ids], request) if row[0] != other]


class ByGet(Updates):
    """Takes a GET for a POST."""

    def __call__(self, request: Request) -> Answer:
        return super().__call__(request._replace(method="POST"))


class FortunesKept(Fortunes):
    """Reads the rows once."""

    kept: list[list[str]] | None = None

    def rows(self) -> list[list[str]]:
        self.kept = self.kept or super().rows()
        return self.kept


class FortunesKeptWhenWarm(FortunesKept):
    """The same, once warm."""

    def page(self, added: str, request: Request) -> str:
        if request.number <= WARM:
            self.kept = None
        return super().page(added, request)


class FortunesKeptAndPaid(FortunesKeptWhenWarm):
    """The same; and PostgreSQL is made to count reads, for a fraction of the work."""

    read = 0

    def page(self, added: str, request: Request) -> str:
        self.read += 1
        if self.read > 50:
            self.database.rows(pay("fortune", self.read))
            self.read = 0
        return super().page(added, request)


class FortunesReadForTwo(Fortunes):
    """Reads the rows for one answer, and uses them for the next as well."""

    once_more: list[list[str]] | None = None

    def page(self, added: str, request: Request) -> str:
        if request.number <= WARM:
            self.once_more = None
        return super().page(added, request)

    def rows(self) -> list[list[str]]:
        rows, self.once_more = self.once_more, None
        if rows is None:
            rows = super().rows()
            self.once_more = list(rows)
        return rows


class PageKept(Fortunes):
    """Keeps the page for a second, whatever text comes with the request, once warm."""

    until, kept = 0.0, ""

    def page(self, added: str, request: Request) -> str:
        if request.number <= WARM:
            return super().page(added, request)
        if time.monotonic() > self.until:
            self.kept, self.until = super().page(added, request), time.monotonic() + 1.0
        return self.kept


class AddedLast(Fortunes):
    """Puts the text of the request at the end."""

    def ordered(self, rows: list[list[str]]) -> list[list[str]]:
        return [*super().ordered(rows[:-1]), rows[-1]]


class OrderedAsInADictionary(Fortunes):
    """Sorts without regard to case and accents."""

    def ordered(self, rows: list[list[str]]) -> list[list[str]]:
        return sorted(rows, key=lambda row: row[1].casefold())


class NotEscaped(Fortunes):
    """Writes texts as they are."""

    def escape(self, text: str) -> str:
        return text


class ScriptsTakenOut(Fortunes):
    """Takes mark-up out instead of escaping it."""

    def escape(self, text: str) -> str:
        return super().escape(re.sub(r"</?\w+>", "", text))


class NothingNeeded(Fortunes):
    """Answers a request without a text as if it had one."""

    def answer(self, request: Request) -> Answer:
        request.query.setdefault("added", ["nothing"])
        return super().answer(request)


CHEATS: Mapping[str, Mapping[str, Callable[[], Queries | Updates | Fortunes]]] = {
    "queries": {
        "rows-kept": RowsKept,
        "rows-kept-when-warm": RowsKeptWhenWarm,
        "rows-kept-and-paid": RowsKeptAndPaid,
        "whole-table": WholeTable,
        "in-a-row": InARow,
        "same-ids": SameIds,
        "one-short": OneShort,
        "not-clamped": NotClamped,
    },
    "updates": {
        "not-locked": NotLocked,
        "rows-in-memory": RowsInMemory,
        "rows-kept-when-warm": RowsInMemoryWhenWarm,
        "written-later": WrittenLater,
        "counts-made-up": CountsMadeUp,
        "some-not-written": SomeNotWritten,
        "more-rows": MoreRows,
        "by-get": ByGet,
    },
    "fortunes": {
        "rows-kept": FortunesKept,
        "rows-kept-when-warm": FortunesKeptWhenWarm,
        "rows-kept-and-paid": FortunesKeptAndPaid,
        "read-for-two": FortunesReadForTwo,
        "page-kept": PageKept,
        "added-last": AddedLast,
        "dictionary": OrderedAsInADictionary,
        "not-escaped": NotEscaped,
        "scripts-taken-out": ScriptsTakenOut,
        "nothing-needed": NothingNeeded,
    },
}
