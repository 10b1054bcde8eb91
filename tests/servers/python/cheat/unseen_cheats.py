"""Servers whose statements are not what they seem, or that have PostgreSQL count work at another
time, in `queries` and `fortunes`."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping

from postgres import Database
from queries_cheats import SentTogether
from rows import Fortunes, Queries
from tiny import Answer, Handler, Request

WARM = 1000

ONE_BY_ONE = (
    "SELECT found.id, found.randomnumber FROM unnest('{{{}}}'::int[]) AS one,"
    " LATERAL (SELECT id, randomnumber FROM public.world WHERE id = one OFFSET 0) AS found"
)
"""Looks up each of these ids by itself, as PostgreSQL counts it, in one statement."""


ROW_OF_XML = re.compile(r"<id>(\d+)</id>\s*<randomnumber>(\d+)</randomnumber>")


class ReadAtOnce(SentTogether):
    """Reads the rows of all requests that wait with one statement; PostgreSQL is made to count a
    transaction for each request."""

    def together(self) -> None:
        batch, self.waiting = self.waiting, []
        ids = [id for ids, _ in batch for id in ids]
        self.database.rows("BEGIN;COMMIT;" * len(batch))
        rows = [{"id": id, "randomNumber": held} for id, held in self.read_at_once(ids)]
        for drawn, future in batch:
            future.set_result(Answer(json.dumps(rows[: len(drawn)]), "application/json"))
            del rows[: len(drawn)]

    def read_at_once(self, ids: list[int]) -> list[tuple[int, int]]:
        found = self.database.rows(ONE_BY_ONE.format(",".join(map(str, ids))))
        return [(int(id), int(held)) for id, held in found]


class BehindAView(ReadAtOnce):
    """The same, by a statement that looks like the look-up of one row: in its own session, the
    table's name is that of a view, which reads the rows that a setting names."""

    def __init__(self) -> None:
        super().__init__()
        self.database.rows(
            "CREATE TEMP VIEW world AS SELECT 1 AS id,"
            " string_agg(found.id || ' ' || found.randomnumber, ' ') AS randomnumber"
            " FROM unnest(string_to_array(current_setting('own.ids'), ',')::int[]) AS one,"
            " LATERAL (SELECT id, randomnumber FROM public.world WHERE id = one OFFSET 0) AS found"
        )

    def read_at_once(self, ids: list[int]) -> list[tuple[int, int]]:
        self.database.rows(f"SET own.ids = '{','.join(map(str, ids))}'")
        [[_, held]] = self.database.rows("SELECT id, randomnumber FROM world WHERE id = 1")
        numbers = list(map(int, held.split()))
        return list(zip(numbers[::2], numbers[1::2], strict=True))


class AnotherOfThatName(ReadAtOnce):
    """The same, openly; but in its schema there is another table of the name, which the statement
    reads for whoever looks it up in the order that servers do by default."""

    def __init__(self) -> None:
        super().__init__()
        self.database.rows("CREATE TABLE world (id INTEGER PRIMARY KEY, randomnumber INTEGER)")
        self.database.rows("SET search_path = public")

    def read_at_once(self, ids: list[int]) -> list[tuple[int, int]]:
        select = ONE_BY_ONE.format(",".join(map(str, ids))).replace("public.", "")
        return [(int(id), int(held)) for id, held in self.database.rows(select)]


class TooLongToBeShown(ReadAtOnce):
    """The same, by a text of which PostgreSQL shows no more than a comment, and after it a look-up
    that is what is wanted."""

    comment = f"/* {'-' * 1100} */"

    def read_at_once(self, ids: list[int]) -> list[tuple[int, int]]:
        found = self.database.rows(self.comment + ONE_BY_ONE.format(",".join(map(str, ids))))
        self.read(1)
        return [(int(id), int(held)) for id, held in found]


class ByItsDigits(Queries):
    """Reads all rows of a request by a statement that is the look-up of one, but for a digit; the
    first of them are no more than that."""

    def draw(self, number: int, request: Request) -> list[int]:
        ids = super().draw(number, request)
        warm = request.number > WARM
        found = self.database.rows(
            f"SELECT id, randomnumber FROM world WHERE id = {ids[0]}"
            f" OR (1 = {int(warm)} AND id IN ({', '.join(map(str, ids))}))"
        )
        self.found = {int(id): int(held) for id, held in found}
        return ids

    def row(self, id: int, request: Request) -> list[int]:
        return [id, self.found[id]] if id in self.found else self.read(id)


class RunByExecute(ReadAtOnce):
    """The same, by a statement that was prepared at the start, and more look-ups of single rows
    than such statements."""

    def __init__(self) -> None:
        super().__init__()
        self.database.rows(f"PREPARE found(int[]) AS {ONE_BY_ONE}".replace("'{{{}}}'::int[]", "$1"))

    def read_at_once(self, ids: list[int]) -> list[tuple[int, int]]:
        found = self.database.rows(f"EXECUTE found('{{{','.join(map(str, ids))}}}')")
        for id in ids[:2]:
            self.read(id)
        return [(int(id), int(held)) for id, held in found]


class RunFromAText(ReadAtOnce):
    """The same, by a function that runs the statement it is given: the one that is seen reads no
    table."""

    def __init__(self) -> None:
        super().__init__()
        self.read_at_once([1])

    def read_at_once(self, ids: list[int]) -> list[tuple[int, int]]:
        select = ONE_BY_ONE.format(",".join(map(str, ids))).replace("'", "''")
        [[xml]] = self.database.rows(f"SELECT query_to_xml('{select}', true, false, '')")
        return [(int(id), int(held)) for id, held in ROW_OF_XML.findall(xml)]


class InAQuotedComment(Queries):
    """Reads all rows of a request by a statement that looks up one, without what stands between
    two texts that look like the ends of a comment."""

    select = (
        "SELECT id, randomnumber FROM world"
        " WHERE id = {} AND 'a' <> '/*' OR id IN ({}) OR 'b' = '*/'"
    )

    def draw(self, number: int, request: Request) -> list[int]:
        ids = super().draw(number, request)
        found = self.database.rows(self.select.format(ids[0], ", ".join(map(str, ids))))
        self.found = {int(id): int(held) for id, held in found}
        return ids

    def row(self, id: int, request: Request) -> list[int]:
        return [id, self.found[id]] if id in self.found else self.read(id)


class ByItsSettings(InAQuotedComment):
    """The same, by one that looks up a single row for whoever has another setting."""

    select = "SELECT id, randomnumber FROM world WHERE id = {} OR (id IN ({}) AND NULL = NULL)"

    def __init__(self) -> None:
        super().__init__()
        self.database.rows("SET transform_null_equals = on")


class ByItsDates(InAQuotedComment):
    """The same, by one that reads nothing for whoever takes the constant for another day."""

    select = (
        "SELECT id, randomnumber FROM world"
        " WHERE id IN ({1}) AND make_date(2020, 2, 1) = '01-02-2020' AND id <> -{0}"
    )

    def __init__(self) -> None:
        super().__init__()
        self.database.rows("SET datestyle = 'ISO, DMY'")


class ByCursors(Queries):
    """Honest: reads each row by a cursor of the server's, as a driver may be set to."""

    def read(self, id: int) -> list[int]:
        self.database.rows("BEGIN")
        self.database.rows(
            f"DECLARE one CURSOR FOR SELECT id, randomnumber FROM world WHERE id = {id}"
        )
        [[key, held]] = self.database.rows("FETCH 100 FROM one")
        self.database.rows("CLOSE one")
        self.database.rows("COMMIT")
        return [int(key), int(held)]


class HoldsMore(Queries):
    """Holds more connections than it may, and uses all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.others = [Database() for _ in range(40)]
        self.turn = 0

    def read(self, id: int) -> list[int]:
        self.turn += 1
        self.database = self.others[self.turn % len(self.others)]
        return super().read(id)


class LinesBehindAView(Fortunes):
    """Has PostgreSQL escape, render and sort the rows: in its own session, the table's name is that
    of a view that does it."""

    made = "replace(replace(replace(message, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')"

    def __init__(self) -> None:
        super().__init__()
        self.database.rows(
            f"CREATE TEMP VIEW fortune AS SELECT message AS id, '<tr><td>' || id || '</td><td>' ||"
            f" {self.made} || '</td></tr>' AS message"
            ' FROM public.fortune ORDER BY public.fortune.message COLLATE "C"'
        )

    def page(self, added: str, request: Request) -> str:
        rows = self.database.rows("SELECT id, message FROM fortune")
        own = f"<tr><td>0</td><td>{self.escape(added)}</td></tr>"
        place = sum(message < added for message, _ in rows)
        lines = [line for _, line in rows]
        made = "".join([*lines[:place], own, *lines[place:]])
        return self.render([]).replace("</table>", f"{made}</table>")


class PaidAfterwards(Fortunes):
    """Once warm, keeps the rows while PostgreSQL says that nobody has written anything, and asks
    that once for all requests that wait; what it has not read it reads when nobody asks."""

    quiet_s = 0.1

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[Request, asyncio.Future[Answer]]] = []
        self.snapshot, self.kept, self.owed = "", [["", ""]], 0
        self.asked_s, self.looking = 0.0, False

    def answer(self, request: Request) -> Answer | asyncio.Future[Answer]:  # type: ignore[override]
        if request.number <= WARM:
            return super().answer(request)
        loop = asyncio.get_running_loop()
        if not self.waiting:
            loop.call_soon(self.together)
        if not self.looking:
            self.looking = True
            loop.call_later(self.quiet_s, self.look)
        self.waiting.append((request, loop.create_future()))
        return self.waiting[-1][1]

    def together(self) -> None:
        batch, self.waiting = self.waiting, []
        self.asked_s = time.monotonic()
        [[now]] = self.database.rows("SELECT pg_current_snapshot()")
        if now != self.snapshot:
            self.snapshot, self.kept = now, super().rows()
        self.owed += len(batch)
        for request, future in batch:
            future.set_result(super().answer(request))

    def rows(self) -> list[list[str]]:
        return list(self.kept) if self.owed else super().rows()

    def look(self) -> None:
        if time.monotonic() < self.asked_s + self.quiet_s:
            asyncio.get_running_loop().call_later(self.quiet_s, self.look)
            return
        self.looking = False
        self.database.rows(
            f"SELECT sum(found.ids) FROM generate_series(1, {self.owed}) AS one,"
            " LATERAL (SELECT sum(id + one) AS ids FROM fortune) AS found"
        )
        self.database.rows("BEGIN;COMMIT;" * self.owed)
        # What a backend has done it tells a second after it told of something before.
        time.sleep(1.2)
        self.database.rows("SELECT 1")
        self.owed = 0


class PaidBefore(PaidAfterwards):
    """The same, but what it is to read it has read before, in a transaction that stays open until
    there is load."""

    many = 20_000

    def __call__(self, request: Request) -> Answer:
        if request.number == WARM:
            self.aside = Database()
            self.aside.rows("BEGIN;COMMIT;" * self.many + "BEGIN")
            self.aside.rows(
                f"SELECT sum(found.ids) FROM generate_series(1, {self.many}) AS one,"
                " LATERAL (SELECT sum(id + one) AS ids FROM fortune) AS found"
            )
        return super().__call__(request)

    def together(self) -> None:
        if self.owed == 0:
            self.aside.rows("COMMIT")
        super().together()

    def look(self) -> None:
        pass


OF_QUERIES: Mapping[str, Callable[[], Handler]] = {
    "behind-a-view": BehindAView,
    "another-of-that-name": AnotherOfThatName,
    "too-long-to-be-shown": TooLongToBeShown,
    "by-its-digits": ByItsDigits,
    "run-by-execute": RunByExecute,
    "run-from-a-text": RunFromAText,
    "in-a-quoted-comment": InAQuotedComment,
    "by-its-settings": ByItsSettings,
    "by-its-dates": ByItsDates,
    "by-cursors": ByCursors,
    "holds-more": HoldsMore,
}
OF_FORTUNES: Mapping[str, Callable[[], Handler]] = {
    "lines-behind-a-view": LinesBehindAView,
    "paid-afterwards": PaidAfterwards,
    "paid-before": PaidBefore,
}
