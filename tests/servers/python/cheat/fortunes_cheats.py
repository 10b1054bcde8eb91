"""Servers that do less, or other, work than `fortunes` asks for."""

from __future__ import annotations

import bisect
import random
import re
import time
from collections.abc import Callable, Mapping

from paid_look_ups import pay
from rows import Fortunes
from tiny import Answer, Request

WARM = 1000


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


CHEATS: Mapping[str, Callable[[], Fortunes]] = {
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
}
