"""`GET /queries?n=N` reads N rows of a table, one by one; scenario.toml holds the contract.

All rows get other numbers behind the server's back, so that one that keeps rows is out of date,
whichever of them it draws. After the load, PostgreSQL must have looked up a row for each one sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise

import httpx

from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.table_work import TableWork, enough
from webdyno.verifier import Breakdown, Preparation, Probe, Sample, Verifier, clamped
from webdyno.verifier.json_answers import Wrong, rows_of
from webdyno.verifier.statistics import chained, uneven

ROWS = 10_000
# PostgreSQL tells of look-ups up to some seconds late; half of them is enough.
TOLD_SHARE = 0.5

TABLE = f"""
    CREATE TABLE world (id INTEGER PRIMARY KEY, randomnumber INTEGER NOT NULL);
    INSERT INTO world SELECT id, 1 + floor(random() * {ROWS})::int
        FROM generate_series(1, {ROWS}) AS id;
    ANALYZE world;
"""
# Another number for every row, and for each by another step.
RENEW = f"""
    UPDATE world SET randomnumber = 1 + (randomnumber + floor(random() * {ROWS - 1})::int) % {ROWS}
    RETURNING id, randomnumber
"""


class Scenario(Verifier):
    in_a_crowd = True

    psql: Psql
    table: Mapping[int, int]
    number: int
    before: TableWork | None = None

    def prepare(self) -> Preparation:
        self.psql = Psql(self.services)
        self.psql.rows(TABLE)
        self._renew()
        self.number = self.whole("n", 5, clamped.MOST)
        return Preparation(
            env={"WEBDYNO_POOL": str(self.whole("pool", most=200))},
            variables={"n": {"kind": "choice", "values": [str(self.number)]}},
        )

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self.expect_http(probe.get("/queries?n=1"))
            self._clamped(probe)
        self._follows(probe)
        if self.phase == "before":
            self.expect_not_found(probe, f"/queries-{self.token()}")

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        drawn: list[list[int]] = []
        self.expect_each(
            f"{len(samples)} answers of the load hold {self.number} rows, as the table holds them",
            (
                self._problem(s.status, s.header("content-type"), s.body, self.number, drawn)
                for s in samples
            ),
        )
        self._at_random(drawn, f"of the {len(samples)} answers")

    def before_load(self, probe: Probe) -> None:
        self.before = self._work()

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """PostgreSQL looked up a row for each one sent: a server that keeps rows makes it look
        for fewer."""
        if self.before is None:
            raise Breakdown("the look-ups of rows were not counted before the load")
        before = self.before.looked_up
        answers = sum(counts.get(kind, 0) for kind in ("ok", "failed_check"))
        wanted = TOLD_SHARE * self.number * answers
        now = enough(self._work, lambda work: work.looked_up - before >= wanted)
        self.expect(
            "PostgreSQL looked up a row for each one sent, by its counters",
            now.looked_up - before >= wanted,
            f"{now.looked_up - before} look-ups, {answers} answers of {self.number} rows",
        )

    def _work(self) -> TableWork:
        try:
            return TableWork.of(self.psql, "world")
        except ServiceError as error:
            raise Breakdown(f"the look-ups of rows cannot be counted: {error}") from None

    def _renew(self) -> None:
        try:
            self.table = {int(id): int(number) for id, number in self.psql.rows(RENEW)}
        except ServiceError as error:
            raise Breakdown(f"the rows could not be changed: {error}") from None

    def _ask(self, probe: Probe, query: str, number: int, drawn: list[list[int]]) -> str | None:
        answer: httpx.Response = probe.get(f"/queries{query}")
        kind = answer.headers.get("content-type", "")
        problem = self._problem(answer.status_code, kind, answer.content, number, drawn)
        return problem and f"/queries{query}: {problem}"

    def _problem(
        self, status: int, content_type: str, body: bytes, number: int, drawn: list[list[int]]
    ) -> str | None:
        """What is wrong with an answer of `number` rows; its ids are added to `drawn`."""
        try:
            rows = rows_of(status, content_type, body, number=number, column="randomNumber")
        except Wrong as error:
            return str(error)
        for id, held in rows:
            if id not in self.table:
                return f"the id {id} is none of 1..{ROWS}"
            if held != self.table[id]:
                return f"row {id} was answered with {held}; the table holds {self.table[id]}"
        drawn.append([id for id, _ in rows])
        return None

    def _clamped(self, probe: Probe) -> None:
        drawn: list[list[int]] = []
        self.expect_each(
            clamped.RULE,
            (self._ask(probe, query, number, drawn) for query, number in clamped.QUERIES.items()),
        )
        self._at_random(drawn, "asked for")

    def _follows(self, probe: Probe) -> None:
        """Give every row another number; each worker must then answer by the new ones."""
        drawn: list[list[int]] = []
        self.expect_each(
            "20 rows are answered as the table holds them, on each of 4 connections",
            (self._ask(probe, "?n=20", 20, drawn) for _ in range(4)),
        )
        for _ in range(2):
            self._renew()
            self.expect_each(
                "rows changed in the database are answered as they are now",
                (self._ask(probe, "?n=20", 20, drawn) for _ in range(8)),
            )
        same = [ids for ids, other in pairwise(drawn) if ids == other]
        self.expect("different ids are drawn for each request", not same, str(same[:1] or "")[:80])

    def _at_random(self, drawn: Iterable[list[int]], what: str) -> None:
        ids = [id - 1 for id in chain.from_iterable(drawn)]
        self.expect_each(
            f"the ids of {len(ids)} rows {what} are drawn at random from all of 1..{ROWS}",
            (
                uneven(ids, ROWS, drawn="the ids"),
                chained(ids, ROWS, drawn="the ids"),
            ),
        )
