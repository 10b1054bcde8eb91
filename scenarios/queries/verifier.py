"""`GET /queries?n=N` reads N rows of a table, one by one; scenario.toml holds the contract.

All rows get other numbers behind the server's back, so that one that keeps rows is out of date,
whichever of them it draws. Some change while the load runs, too, and sampled answers must show each
row as it was then. After the load, PostgreSQL must have looked up a row for each one sent, and none
of the statements that it was seen to run may have read several.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import ClassVar

import httpx

from webdyno.runtime.services.counted_at_rest import counted_at_rest
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.rights import let_server
from webdyno.runtime.services.statement_claims import UNSEEN, expect_one_by_one
from webdyno.runtime.services.statements import Statements
from webdyno.runtime.services.table_work import TableWork, enough, least_told, untold, with_untold
from webdyno.runtime.services.told_in_time import LookAtWork, expect_told_in_time, look_at_work
from webdyno.verifier import (
    Breakdown,
    Change,
    Preparation,
    Probe,
    Sample,
    Verifier,
    clamped,
    remedies,
)
from webdyno.verifier.json_answers import Wrong, rows_of
from webdyno.verifier.states import RowStates, State
from webdyno.verifier.statistics import chained, uneven

ROWS = 10_000

TABLE = f"""
    CREATE TABLE world (id INTEGER PRIMARY KEY, randomnumber INTEGER NOT NULL);
    INSERT INTO world SELECT id, 1 + floor(random() * {ROWS})::int
        FROM generate_series(1, {ROWS}) AS id;
    ANALYZE world;
"""
# Another number for each of these rows, and for each by another step. They are found by a scan: our
# own look-ups by the index would be counted as the server's.
RENEW = f"""
    UPDATE world SET randomnumber = 1 + (randomnumber + floor(random() * {ROWS - 1})::int) % {ROWS}
    WHERE hashint4extended(id, :salt) % :one_in = 0 RETURNING id, randomnumber
"""
# Under load, so few that it costs a server little and so many that most answers of 20 rows show it.
CHANGED_ONE_IN = 16
# The share of an honest server's statements on the table that look up one row, at the least: they
# are all that it has to send.
LEAST_LOOK_UPS = 0.5


class Scenario(Verifier):
    bounds: ClassVar = {"n": (5, clamped.MOST), "pool": (1, 200)}
    in_a_crowd = True

    psql: Psql
    statements: Statements
    states: RowStates
    number: int
    before: TableWork | None = None
    looks: Sequence[LookAtWork] = ()
    """What was counted by some moments of the load."""
    answered_s: Sequence[float] = ()

    def prepare(self) -> Preparation:
        self.psql = self.opened.enter_context(Psql(self.services_as_owner))
        self.psql.rows(TABLE)
        let_server(self.psql, self.services, "SELECT", "world")
        self.statements = Statements(self.services, "world")
        self.states = RowStates(self._renewed())
        self.number = self.whole("n")
        return Preparation(
            env={"WEBDYNO_POOL": str(self.whole("pool"))},
            variables={"n": {"kind": "choice", "values": [str(self.number)]}},
        )

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self.expect_http(probe.get("/queries?n=1"))
        self._clamped(probe)
        self._follows(probe)
        self.expect_not_found(probe, f"/queries-{self.token()}")

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self.answered_s = [sample.answered_by_s for sample in samples]
        drawn: list[list[int]] = []
        changes = self.states.changes
        then = f"held them then, which changed {changes} times" if changes else "holds them"
        self.expect_each(
            f"{len(samples)} answers of the load hold {self.number} rows, as the table {then}",
            (self._sampled(sample, drawn) for sample in samples),
        )
        self._at_random(drawn, f"of the {len(samples)} answers")

    def before_load(self, probe: Probe) -> None:
        self.states = RowStates(self.states.newest)
        self.before = counted_at_rest(self.psql, self.services, self._work)
        with or_breakdown(UNSEEN):
            self.statements.begin(self.psql)
        self.looks = ()

    def change(self) -> Change:
        """Some rows get other numbers, in one statement."""

        def make() -> None:
            with or_breakdown(UNSEEN):
                self.statements.look(self.psql)
                self.looks = [*self.looks, look_at_work(self.psql, "world")]
            self._renew(CHANGED_ONE_IN)

        return Change(make)

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """PostgreSQL looked up a row for each one sent: a server that keeps rows makes it look
        for fewer."""
        if self.before is None:
            raise Breakdown("the look-ups of rows were not counted before the load")
        before = self.before
        answers = sum(counts.get(kind, 0) for kind in ("ok", "failed_check"))
        # An id may be drawn twice, and a row that was read by then need not be read again.
        different = ROWS * (1 - (1 - 1 / ROWS) ** self.number)

        def requests(work: TableWork) -> float:
            """For how many requests it is enough."""
            return min(work.transactions, min(work.looked_up, work.fetched) / different)

        late = untold(self.psql, self.answered_before, requests(before))
        wanted = least_told(self.psql, thorough=self.thorough) * (late + answers)
        done = enough(
            self.psql,
            lambda: self._work().since(before),
            lambda work: requests(work) >= wanted,
        )
        given = with_untold(f"{answers} answers of {self.number} rows", late)
        self.expect(
            "PostgreSQL looked up a row for each one sent, by its counters",
            done.looked_up >= wanted * different,
            f"{done.looked_up} look-ups, {given}",
            remedy=remedies.READ_EACH_ROW,
        )
        self.expect(
            "it found as many, in at least as many transactions as answers",
            requests(done) >= wanted,
            f"{done.fetched} rows in {done.transactions} transactions, {given}",
            remedy=remedies.AUTOCOMMIT if done.transactions < wanted else "",
        )
        expect_told_in_time(
            self, self.looks, before, self.answered_s, requests, remedies.READ_EACH_ROW
        )
        expect_one_by_one(
            self,
            self.statements,
            claim="most of them looked up one row, and returned it unchanged",
            likely=LEAST_LOOK_UPS,
        )

    def _work(self) -> TableWork:
        with or_breakdown("the look-ups of rows cannot be counted"):
            return TableWork.of(self.psql, "world")

    def _renew(self, one_in: int = 1) -> None:
        began_s = time.monotonic()
        rows = {**self.states.newest, **self._renewed(one_in)}
        self.states.changed(State(began_s, time.monotonic(), rows))

    def _renewed(self, one_in: int = 1) -> Mapping[int, int]:
        """Renew all rows, or one in so many, drawn anew: what these hold now."""
        with or_breakdown("the rows could not be changed"):
            rows = self.psql.rows(RENEW, salt=self.random.getrandbits(62), one_in=one_in)
        return {int(id): int(number) for id, number in rows}

    def _ask(self, probe: Probe, query: str, number: int, drawn: list[list[int]]) -> str | None:
        asked_s = time.monotonic()
        answer: httpx.Response = probe.get(f"/queries{query}")
        answered_s = time.monotonic()
        kind = answer.headers.get("content-type", "")
        try:
            rows = rows_of(
                answer.status_code, kind, answer.content, number=number, column="randomNumber"
            )
        except Wrong as error:
            return f"/queries{query}: {error}"
        problem = self._out_of_date(rows, asked_s, answered_s, drawn)
        return problem and f"/queries{query}: {problem}"

    def _sampled(self, sample: Sample, drawn: list[list[int]]) -> str | None:
        kind = sample.header("content-type")
        try:
            rows = rows_of(
                sample.status, kind, sample.body, number=self.number, column="randomNumber"
            )
        except Wrong as error:
            return str(error)
        return self._out_of_date(rows, sample.sent_s, sample.answered_by_s, drawn)

    def _out_of_date(
        self,
        rows: Sequence[tuple[int, int]],
        asked_s: float,
        answered_s: float,
        drawn: list[list[int]],
    ) -> str | None:
        """What is wrong with the rows of an answer; where nothing is, their ids are added to
        `drawn`."""
        problem = self.states.rows_problem(rows, asked_s, answered_s)
        if problem is None:
            drawn.append([id for id, _ in rows])
        return problem

    def _clamped(self, probe: Probe) -> None:
        drawn: list[list[int]] = []
        asked = clamped.QUERIES if self.phase == "before" else clamped.few(self.random)
        self.expect_each(
            clamped.RULE,
            (self._ask(probe, query, number, drawn) for query, number in asked.items()),
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
                remedy=remedies.READ_EACH_ROW,
            )
        same = [ids for ids, other in pairwise(drawn) if ids == other]
        self.expect(
            "different ids are drawn for each request",
            not same,
            str(same[:1] or "")[:80],
            remedy=remedies.DRAWN_ANEW,
        )

    def _at_random(self, drawn: Iterable[list[int]], what: str) -> None:
        ids = [id - 1 for id in chain.from_iterable(drawn)]
        self.expect_each(
            f"the ids of {len(ids)} rows {what} are drawn at random from all of 1..{ROWS}",
            (
                uneven(ids, ROWS, drawn="the ids"),
                chained(ids, ROWS, drawn="the ids"),
            ),
        )
