"""Servers that do less, or other, work than `queries` and `fortunes` ask for."""

from __future__ import annotations

import asyncio
import bisect
import json
import random
import re
import time
from collections.abc import Callable, Mapping

from rows import ROWS, Fortunes, Queries, Row, number
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


class FortunesReadForTwoAndPaid(FortunesReadForTwo):
    """The same; and PostgreSQL is made to count a read for the second, of a single row."""

    def rows(self) -> list[list[str]]:
        if self.once_more is not None:
            self.database.rows(pay("fortune", 1))
        return super().rows()


class FortunesReadForTwoSeldom(FortunesReadForTwo):
    """The same for one answer out of twenty."""

    def rows(self) -> list[list[str]]:
        if random.random() >= 0.05:
            self.once_more = None
        return super().rows()


class FortunesToldOfChanges(Fortunes):
    """Has PostgreSQL say whether the rows have changed, and reads them only then, once warm."""

    warm = False
    told: list[list[str]] | None = None
    kept: list[list[str]]

    def page(self, added: str, request: Request) -> str:
        self.warm = request.number > WARM
        return super().page(added, request)

    def rows(self) -> list[list[str]]:
        told = self.database.rows("SELECT count(*), sum(hashtext(message)) FROM fortune")
        if told != self.told or not self.warm:
            self.told, self.kept = told, super().rows()
        return self.kept


class LinesByTheDatabase(Fortunes):
    """Has PostgreSQL escape and render the rows, beside what it is to hand over."""

    made = "replace(replace(replace(message, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')"

    def rows(self) -> list[list[str]]:
        return self.database.rows(
            f"SELECT id, message, '<tr><td>' || id || '</td><td>' || {self.made} || '</td></tr>'"
            " FROM fortune"
        )

    def render(self, rows: list[list[str]]) -> str:
        empty = super().render([])
        lines = (row[2] if len(row) > 2 else self.line(*row) for row in rows)
        return empty.replace("</table>", f"{''.join(lines)}</table>")

    def line(self, id: str, message: str) -> str:
        return f"<tr><td>{id}</td><td>{self.escape(message)}</td></tr>"


class SortedByTheDatabase(Fortunes):
    """Has PostgreSQL sort the rows, and puts the request's row where it belongs."""

    def rows(self) -> list[list[str]]:
        return self.database.rows('SELECT id, message FROM fortune ORDER BY message COLLATE "C"')

    def ordered(self, rows: list[list[str]]) -> list[list[str]]:
        *sorted_, added = rows
        bisect.insort(sorted_, added, key=lambda row: row[1])
        return sorted_


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


CHEATS: Mapping[str, Mapping[str, Callable[[], Queries | Fortunes]]] = {
    "queries": {
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
    },
    "fortunes": {
        "rows-kept": FortunesKept,
        "rows-kept-when-warm": FortunesKeptWhenWarm,
        "rows-kept-and-paid": FortunesKeptAndPaid,
        "read-for-two": FortunesReadForTwo,
        "read-for-two-and-paid": FortunesReadForTwoAndPaid,
        "read-for-two-seldom": FortunesReadForTwoSeldom,
        "told-of-changes": FortunesToldOfChanges,
        "lines-by-the-database": LinesByTheDatabase,
        "sorted-by-the-database": SortedByTheDatabase,
        "page-kept": PageKept,
        "added-last": AddedLast,
        "dictionary": OrderedAsInADictionary,
        "not-escaped": NotEscaped,
        "scripts-taken-out": ScriptsTakenOut,
        "nothing-needed": NothingNeeded,
    },
}
