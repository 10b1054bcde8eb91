"""Servers that do less, or other, work than `updates` asks for."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping

from paid_look_ups import pay
from postgres import Database
from rows import ROWS, Row, Updates, number
from tiny import Answer, Request

WARM = 1000


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


class AnswersFirst(WrittenLater):
    """Once warm, answers first, and does all that it is to do for each request a moment later."""

    every_s = 0.005

    def __init__(self) -> None:
        super().__init__()
        self.owed: list[list[int]] = []

    def count(self, ids: list[int], request: Request) -> list[Row]:
        if request.number <= WARM or len(ids) == 1:
            while self.owed:
                self.flush()
            return Updates.count(self, ids, request)
        self.owed.append(ids)
        asyncio.get_running_loop().call_later(self.every_s, self.flush)
        for id in ids:
            self.waiting[id] = self.waiting.get(id, 0) + 1
        return [[id, self.read(id) + self.waiting[id]] for id in ids]

    def flush(self) -> None:
        if self.owed:
            ids = self.owed.pop(0)
            self.database.rows("BEGIN")
            for id in ids:
                self.write(id, self.read(id, " FOR UPDATE") + 1)
                self.waiting[id] -= 1
            self.database.rows("COMMIT")


class UpdatesInBatches(Updates):
    """Answers first and commits what has come in 20 ms, a savepoint for each request, once warm."""

    every_s = 0.02
    open = False

    def count(self, ids: list[int], request: Request) -> list[Row]:
        if len(ids) == 1:
            self.commit()
        if request.number <= WARM or len(ids) == 1:
            return super().count(ids, request)
        if not self.open:
            self.database.rows("BEGIN")
            self.open = True
            asyncio.get_running_loop().call_later(self.every_s, self.commit)
        self.database.rows("SAVEPOINT one")
        rows = [[id, self.read(id, " FOR UPDATE") + 1] for id in ids]
        for id, quantity in rows:
            self.write(id, quantity)
        self.database.rows("RELEASE SAVEPOINT one")
        return rows

    def commit(self) -> None:
        if self.open:
            self.database.rows("COMMIT")
        self.open = False


class UpdatesTogether(Updates):
    """Commits together what has come by the end of a turn of the event loop, before it answers; the
    commits that are missing are made, and write nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[int, asyncio.Future[list[Row]]]] = []

    async def answer(self, request: Request) -> Answer:
        loop = asyncio.get_running_loop()
        if not self.waiting:
            loop.call_soon(self.together)
        self.waiting.append((number(request), loop.create_future()))
        return self.told(await self.waiting[-1][1])

    def together(self) -> None:
        batch, self.waiting = self.waiting, []
        ids = random.sample(range(1, ROWS + 1), sum(number for number, _ in batch))
        self.database.rows("BEGIN")
        held = {id: self.read(id, " FOR UPDATE") + 1 for id in sorted(ids)}
        for id, quantity in held.items():
            self.write(id, quantity)
        self.database.rows("COMMIT")
        self.database.rows("BEGIN; SELECT pg_current_xact_id(); COMMIT;" * (len(batch) - 1))
        for number_, future in batch:
            future.set_result([[id, held[id]] for id in (ids.pop() for _ in range(number_))])


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
        committed = "BEGIN; SELECT pg_current_xact_id(); COMMIT;"
        written = "".join(
            f"UPDATE stock SET quantity = 0 WHERE id BETWEEN {id} AND {id + 99};"
            for id in random.choices(range(1000, ROWS - 100), k=rows // 100 + 1)
        )
        self.database.rows(
            f"{committed * self.answers} BEGIN; {pay('stock', rows)}; {written} ROLLBACK"
        )
        self.answers = 0


class RowsLocked(CountsMadeUp):
    """The same, and nobody else can change a row meanwhile: all are locked. Whoever waits for one
    is let through, and then the table is read and locked again; so it is when nobody asks."""

    locked = False
    look_s, quiet_s = 0.005, 0.02
    asked_s = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.other = Database()

    def count(self, ids: list[int], request: Request) -> list[Row]:
        self.asked_s = time.monotonic()
        if request.number <= WARM or len(ids) == 1:
            self.let_go()
            return super().count(ids, request)
        if not self.locked:
            self.database.rows("BEGIN; SELECT FROM stock FOR UPDATE")
            self.locked = True
            asyncio.get_running_loop().call_later(self.look_s, self.look)
        return super().count(ids, request)

    def look(self) -> None:
        """Whether anybody waits."""
        if not self.locked:
            return
        [[waiting]] = self.other.rows("SELECT count(*) FROM pg_locks WHERE NOT granted")
        if int(waiting) or time.monotonic() > self.asked_s + self.quiet_s:
            self.let_go()
        else:
            asyncio.get_running_loop().call_later(self.look_s, self.look)

    def flush(self) -> None:
        """Write and let go, when the time comes."""
        self.let_go()

    def let_go(self) -> None:
        if self.locked:
            self.locked = False
            self.database.rows("COMMIT")
            time.sleep(0.1)
            super().flush()


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


class StockReadTogether(Updates):
    """Reads all rows of a request with one statement, and adds one to them with another."""

    def count(self, ids: list[int], request: Request) -> list[Row]:
        these = ", ".join(map(str, ids))
        self.database.rows("BEGIN")
        found = self.database.rows(
            f"SELECT id, quantity FROM stock WHERE id IN ({these}) FOR UPDATE"
        )
        self.database.rows(f"UPDATE stock SET quantity = quantity + 1 WHERE id IN ({these})")
        self.database.rows("COMMIT")
        return [[int(id), int(quantity) + 1] for id, quantity in found]


class ByGet(Updates):
    """Takes a GET for a POST."""

    def __call__(self, request: Request) -> Answer:
        return super().__call__(request._replace(method="POST"))


CHEATS: Mapping[str, Callable[[], Updates]] = {
    "not-locked": NotLocked,
    "rows-in-memory": RowsInMemory,
    "rows-kept-when-warm": RowsInMemoryWhenWarm,
    "written-later": WrittenLater,
    "answers-first": AnswersFirst,
    "savepoints-in-batches": UpdatesInBatches,
    "together-and-paid": UpdatesTogether,
    "counts-made-up": CountsMadeUp,
    "rows-locked": RowsLocked,
    "some-not-written": SomeNotWritten,
    "more-rows": MoreRows,
    "read-together": StockReadTogether,
    "by-get": ByGet,
}
