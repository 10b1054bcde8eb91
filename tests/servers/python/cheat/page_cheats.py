"""Servers that do less, or other, work than `GET /page` asks for."""

from __future__ import annotations

import asyncio
import time

from crowd import Crowd
from honest import Page
from tiny import Answer, Request

WARM = 1000


class RenderedOnce(Page):
    """Renders the page at the first request, and keeps it."""

    page = b""

    def answer(self, request: Request) -> Answer:
        self.page = self.page or bytes(super().answer(request).body)
        return Answer(self.page, "text/html; charset=utf-8")


class KeptAWhile(Page):
    """Renders the page once in half a second, and does not say so."""

    kept = Answer(b"")
    until = 0.0

    def answer(self, request: Request) -> Answer:
        if time.monotonic() > self.until:
            self.kept, self.until = super().answer(request), time.monotonic() + 0.5
        return self.kept


class KeptAWhileWhenWarm(KeptAWhile):
    """The same, after a thousand requests."""

    def answer(self, request: Request) -> Answer:
        return super().answer(request) if request.number > WARM else Page.answer(self, request)


class KeptInACrowd(RenderedOnce):
    """Keeps the page while it is under load, and renders each that is asked for by a few."""

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()

    def answer(self, request: Request) -> Answer:
        if self.crowd:
            return super().answer(request)
        self.page = b""
        return Page.answer(self, request)


class ToldOfChanges(Page):
    """Has PostgreSQL say whether the rows have changed, and keeps the page until then."""

    told: list[list[str]] | None = None
    kept = Answer(b"")

    def answer(self, request: Request) -> Answer:
        told = self.database.rows("SELECT count(*), sum(hashtext(articles::text)) FROM articles")
        if told != self.told:
            self.told, self.kept = told, super().answer(request)
        return self.kept


class ToldBehindNames(Page):
    """The same, in columns that have the names of those that are to be handed over, and are empty
    where a row is no newer than what is kept."""

    newest = "0"
    number = 0
    kept = Answer(b"")

    def answer(self, request: Request) -> Answer:
        columns = ", ".join(
            f"CASE WHEN xmin::text::bigint > {self.newest} THEN {name} END AS {name}"
            for name in ("author", "title", "summary")
        )
        told = self.database.rows(
            f"SELECT t.title, t.author, t.summary FROM (SELECT {columns}, number FROM articles"
            " OFFSET 0) AS t"
        )
        if any(map(any, told)) or len(told) != self.number:
            [[self.newest]] = self.database.rows("SELECT max(xmin::text::bigint) FROM articles")
            self.kept, self.number = super().answer(request), len(told)
        return self.kept


class EntriesByTheDatabase(Page):
    """Has PostgreSQL escape and render the rows, beside what it is to hand over."""

    made = "replace(replace(replace({}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')"

    def rows(self) -> list[list[str]]:
        title, author, summary = map(self.made.format, ("title", "author", "summary"))
        return self.database.rows(
            "SELECT title, author, summary, '<article class=\"entry\"><h2>' ||"
            f" {title} || '</h2><p class=\"author\">' || {author} || '</p><p>' ||"
            f" {summary} || '</p></article>' FROM articles ORDER BY number"
        )

    def entry(self, *row: str) -> str:
        return row[3]


class SharedByTwo(Page):
    """Reads and renders once for two requests, after the second one: no answer is out of date."""

    waiting: asyncio.Future[Answer] | None = None

    async def answer(self, request: Request) -> Answer:
        waiting = self.waiting
        if waiting is None:
            waiting = self.waiting = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_later(0.02, self.make, request, waiting)
        else:
            self.make(request, waiting)
        return await waiting

    def make(self, request: Request, waiting: asyncio.Future[Answer]) -> None:
        if not waiting.done():
            self.waiting = None
            waiting.set_result(super().answer(request))


class ReadForTwoSeldom(Page):
    """Once warm, uses the rows of every tenth answer for the next as well."""

    last: list[list[str]] | None = None

    def answer(self, request: Request) -> Answer:
        if request.number <= WARM or request.number % 10:
            self.last = None
        return super().answer(request)

    def rows(self) -> list[list[str]]:
        if self.last is None:
            self.last = super().rows()
        return self.last


class SaysItIsKept(Page):
    """Honest: keeps each page for a second, and says so."""

    kept = Answer(b"")
    until = 0.0

    def answer(self, request: Request) -> Answer:
        if time.monotonic() > self.until:
            self.kept, self.until = super().answer(request), time.monotonic() + 1.0
            return self.kept
        return self.kept._replace(kept=True)


class KeptForEver(RenderedOnce):
    """Says that the page is from a cache, and never looks whether it is still right."""

    def answer(self, request: Request) -> Answer:
        known = bool(self.page)
        return super().answer(request)._replace(kept=known)


class SaysKept(Page):
    """Says that pages come from a cache, and gives another page than there ever was."""

    def rows(self) -> list[list[str]]:
        return super().rows()[1:]

    def answer(self, request: Request) -> Answer:
        return super().answer(request)._replace(kept=True)


class RowsOnce(Page):
    """Renders each page, from rows that it read once."""

    read: list[list[str]] | None = None

    def rows(self) -> list[list[str]]:
        self.read = self.read or super().rows()
        return self.read


class RowsPerConnection(Page):
    """Every connection's worker reads the rows once."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[int, Answer] = {}

    def answer(self, request: Request) -> Answer:
        if request.connection not in self.kept:
            self.kept[request.connection] = super().answer(request)
        return self.kept[request.connection]


class Unescaped(Page):
    """Writes texts as they are."""

    def escape(self, text: str) -> str:
        return text


class EscapedTwice(Page):
    """Escapes what is escaped."""

    def escape(self, text: str) -> str:
        return super().escape(super().escape(text))


class Shortened(Page):
    """Cuts the summaries."""

    def rows(self) -> list[list[str]]:
        return [[title, author, summary[:200]] for title, author, summary in super().rows()]


class Unordered(Page):
    """Gives the rows in another order."""

    def rows(self) -> list[list[str]]:
        return super().rows()[::-1]


class Padded(Page):
    """Is larger than its texts make it."""

    def answer(self, request: Request) -> Answer:
        answer = super().answer(request)
        return answer._replace(body=bytes(answer.body) + b"<!--" + b" " * 20000 + b"-->")


class WrongType(Page):
    """A page that is called text."""

    def answer(self, request: Request) -> Answer:
        return super().answer(request)._replace(media="text/plain")


CHEATS = {
    "rendered-once": RenderedOnce,
    "kept-a-while": KeptAWhile,
    "kept-a-while-when-warm": KeptAWhileWhenWarm,
    "kept-in-a-crowd": KeptInACrowd,
    "told-of-changes": ToldOfChanges,
    "told-behind-names": ToldBehindNames,
    "entries-by-the-database": EntriesByTheDatabase,
    "shared-by-two": SharedByTwo,
    "read-for-two-seldom": ReadForTwoSeldom,
    "says-it-is-kept": SaysItIsKept,
    "kept-for-ever": KeptForEver,
    "says-kept": SaysKept,
    "rows-once": RowsOnce,
    "rows-per-connection": RowsPerConnection,
    "unescaped": Unescaped,
    "escaped-twice": EscapedTwice,
    "shortened": Shortened,
    "unordered": Unordered,
    "padded": Padded,
    "wrong-type": WrongType,
}
