"""Sessions whose database is spared its commits or its reads; in PostgreSQL, and in SQLite."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable

from crowd import Crowd
from honest import Sessions
from postgres import Database
from tiny import Answer, Request

WARM = 1000
BATCH = 100
LATEST_S = 0.02


class InPostgreSql(Sessions):
    """Honest: each visit is one SELECT and one upsert, each a transaction of its own."""

    def __init__(self) -> None:
        self.postgres = Database()

    def read(self, uid: str) -> int:
        rows = self.postgres.rows(f"SELECT data FROM usersessions WHERE uid = '{uid}'")
        return int(json.loads(rows[0][0])["count"]) if rows else 0

    def write(self, uid: str, count: int) -> None:
        self.postgres.rows(self.upsert(uid, count))

    def upsert(self, uid: str, count: int) -> str:
        return (
            f"INSERT INTO usersessions VALUES ('{uid}', '{json.dumps({'count': count})}')"
            " ON CONFLICT (uid) DO UPDATE SET data = excluded.data"
        )


class CommitsInBatches(InPostgreSql):
    """Once warm, answers first and commits a hundred visits at once, or what has come in 20 ms."""

    savepoints = False
    batch = BATCH

    def __init__(self) -> None:
        super().__init__()
        self.open = 0

    def count(self, uid: str, request: Request) -> int:
        if request.number <= WARM:
            return super().count(uid, request)
        if not self.open:
            self.postgres.rows("BEGIN")
            asyncio.get_running_loop().call_later(LATEST_S, self.commit)
        if self.savepoints:
            self.postgres.rows("SAVEPOINT visit")
        count = super().count(uid, request)
        if self.savepoints:
            self.postgres.rows("RELEASE SAVEPOINT visit")
        self.open += 1
        if self.open >= self.batch:
            self.commit()
        return count

    def commit(self) -> None:
        if self.open:
            self.postgres.rows("COMMIT")
        self.open = 0


class SavepointsInBatches(CommitsInBatches):
    """The same, with a savepoint for each visit: subtransactions are numbered, too."""

    savepoints = True


class TwoInACommit(CommitsInBatches):
    """Once warm, two visits in a commit, behind savepoints."""

    savepoints = True
    batch = 2


class VisitsInOneText(InPostgreSql):
    """Once warm, reads the rows of all visits that wait by one text of SELECTs, and writes them by
    another, in which each has a commit of its own."""

    table = "usersessions"

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[str, asyncio.Future[int]]] = []

    def answer(self, request: Request) -> Answer | Awaitable[Answer]:
        uid = self.known(self.cookie(request))
        if request.number <= WARM or uid is None:
            return super().answer(request)
        return self.later(uid)

    async def later(self, uid: str) -> Answer:
        loop = asyncio.get_running_loop()
        if not self.waiting:
            loop.call_soon(self.together)
        self.waiting.append((uid, loop.create_future()))
        return Answer(f"Count is {await self.waiting[-1][1]}")

    def together(self) -> None:
        batch, self.waiting = self.waiting, []
        select = f"SELECT uid, data FROM {self.table} WHERE uid = '{{}}';"
        read = self.postgres.rows("".join(select.format(uid) for uid, _ in batch))
        counts = {uid: int(json.loads(data)["count"]) for uid, data in read}
        written = []
        for uid, future in batch:
            counts[uid] = counts.get(uid, 0) + 1
            upsert = self.upsert(uid, counts[uid]).replace("usersessions", self.table)
            written.append(f"BEGIN;{upsert};COMMIT;")
            future.set_result(counts[uid])
        self.postgres.rows("".join(written))


class VisitsInCapitals(VisitsInOneText):
    """The same, with the table's name in capitals."""

    table = "USERSESSIONS"


class SqliteInBatches(Sessions):
    """Once warm, in SQLite: what has come in 20 ms is one commit."""

    open = False

    def count(self, uid: str, request: Request) -> int:
        if request.number > WARM and not self.open:
            self.open = True
            self.database.execute("BEGIN")
            asyncio.get_running_loop().call_later(LATEST_S, self.commit)
        return super().count(uid, request)

    def commit(self) -> None:
        self.database.execute("COMMIT")
        self.open = False


class CountsInACrowd(InPostgreSql):
    """Under load, reads each session once, counts in memory, and writes what it counted."""

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()
        self.counts: dict[str, int] = {}

    def count(self, uid: str, request: Request) -> int:
        if not self.crowd:
            self.counts.clear()
            return super().count(uid, request)
        self.counts[uid] = self.counts.get(uid) or self.read(uid)
        self.counts[uid] += 1
        self.write(uid, self.counts[uid])
        return self.counts[uid]


class ToldFromMemory(CountsInACrowd):
    """Under load, answers what it counted in memory, while the database adds one to its row."""

    def write(self, uid: str, count: int) -> None:
        if count == 1 or not self.crowd:
            super().write(uid, count)
            return
        self.postgres.rows(
            "UPDATE usersessions SET data = json_build_object("
            f"'count', (data::json->>'count')::bigint + 1)::text WHERE uid = '{uid}'"
        )


class CountedByUpdate(InPostgreSql):
    """Has the UPDATE count, and answers what it returns: a row is not read by itself."""

    def count(self, uid: str, request: Request) -> int:
        rows = self.postgres.rows(
            "UPDATE usersessions SET data = json_build_object("
            f"'count', (data::json->>'count')::bigint + 1)::text WHERE uid = '{uid}' RETURNING data"
        )
        return int(json.loads(rows[0][0])["count"]) if rows else super().count(uid, request)


class CountedByUpdateSeldom(CountedByUpdate):
    """The same for one visit out of ten."""

    def count(self, uid: str, request: Request) -> int:
        kind = CountedByUpdate if request.number % 10 == 0 else InPostgreSql
        return kind.count(self, uid, request)


class PaysElsewhere(InPostgreSql):
    """Under load, counts in memory, and commits a row to a table of its own for each visit; writes
    the counts when the load is over."""

    prepared = "CREATE TABLE IF NOT EXISTS pay (one int)"
    begun = "SELECT 1"
    paid = "INSERT INTO pay VALUES (1)"

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()
        self.counts: dict[str, int] = {}
        self.postgres.rows(self.prepared)

    def count(self, uid: str, request: Request) -> int:
        if not self.crowd:
            self.flush()
            return super().count(uid, request)
        if not self.counts:
            self.postgres.rows(self.begun)
        self.counts[uid] = (self.counts.get(uid) or self.read(uid)) + 1
        self.postgres.rows(self.paid)
        return self.counts[uid]

    def flush(self) -> None:
        for uid, count in self.counts.items():
            self.write(uid, count)
        self.counts.clear()


class PaysInOneRow(PaysElsewhere):
    """The same, with one row of the right table, which is no visitor's."""

    prepared = "SELECT 1"
    begun = "INSERT INTO usersessions VALUES ('pay', '{\"count\": 2}') ON CONFLICT DO NOTHING"
    paid = "UPDATE usersessions SET data = data WHERE uid = 'pay'"

    def flush(self) -> None:
        for uid in list(self.counts)[:1]:
            self.counts[uid] -= 2  # So that the sum is right.
        super().flush()


class WritesLast(InPostgreSql):
    """Once warm, counts in memory, locks the row for each visit, and writes the last counts only,
    when somebody new comes."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.waiting: set[str] = set()

    def count(self, uid: str, request: Request) -> int:
        if request.number <= WARM:
            return super().count(uid, request)
        if uid not in self.counts:
            self.flush()
            self.counts[uid] = self.read(uid)
        self.counts[uid] += 1
        self.postgres.rows(f"SELECT 1 FROM usersessions WHERE uid = '{uid}' FOR UPDATE")
        self.waiting.add(uid)
        return self.counts[uid]

    def flush(self) -> None:
        for uid in self.waiting:
            self.write(uid, self.counts[uid])
        self.waiting.clear()


CHEATS = {
    "in-postgresql": InPostgreSql,
    "commits-in-batches": CommitsInBatches,
    "savepoints-in-batches": SavepointsInBatches,
    "two-in-a-commit": TwoInACommit,
    "visits-in-one-text": VisitsInOneText,
    "visits-in-capitals": VisitsInCapitals,
    "sqlite-in-batches": SqliteInBatches,
    "counts-in-a-crowd": CountsInACrowd,
    "told-from-memory": ToldFromMemory,
    "counted-by-update": CountedByUpdate,
    "counted-by-update-seldom": CountedByUpdateSeldom,
    "pays-elsewhere": PaysElsewhere,
    "pays-in-one-row": PaysInOneRow,
    "writes-last": WritesLast,
}
