"""`GET /cached?n=N` answers N rows from a cache in the process; scenario.toml holds the contract.

All rows get other numbers behind the server's back, before the load, while it runs, and after it.
Right after such a change a server that keeps rows still shows the old ones: one that shows none has
no cache. When their time is over it may show none of them any more, and each answer of the load
that was sampled is held against what the table held in the time that counts for it. After the load,
PostgreSQL must have read each row as often as it had to expire, and none of the statements that it
was seen to run may have read several.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import ClassVar

from webdyno.runtime.services.one_by_one import UNSEEN, expect_one_by_one
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.rights import let_server
from webdyno.runtime.services.statements import Statements
from webdyno.runtime.services.table_work import TableWork, enough, least_told
from webdyno.verifier import (
    Breakdown,
    Change,
    Preparation,
    Probe,
    Restart,
    Sample,
    Verifier,
    beside,
    clamped,
    remedies,
)
from webdyno.verifier.json_answers import Wrong, rows_of
from webdyno.verifier.states import RowStates, State
from webdyno.verifier.statistics import chained, uneven

ROWS, NUMBERS = 100, 10_000
# Time that a query, a queue and a busy machine may add to the age that is allowed.
SLACK_S = 1.5
# How often a cache is looked for, in answers of so many rows, and for how long: all that it keeps
# may just have become too old.
TRIES, FEW = 20, 50
KEEPS_WITHIN_S = 10.0
PAUSE_S = 0.02
# Given to a further start in place of a time of a quarter of it or less.
LONGER_S = 5.0
# Rows asked for at once to see that all are new.
MANY = 200
# What a timer or a coarse clock of a cache may add to the age of a row; how long the SELECT took
# does not count.
LATE_S = 0.1
# The share of an honest server's statements on the table that look up one row, at the least: they
# are all that it has to send.
LEAST_LOOK_UPS = 0.5

least_reads = beside(__file__, "reads").least_reads

TABLE = f"""
    CREATE TABLE world (id INTEGER PRIMARY KEY, randomnumber INTEGER NOT NULL);
    INSERT INTO world SELECT id, 1 + floor(random() * {NUMBERS})::int
        FROM generate_series(1, {ROWS}) AS id;
    ANALYZE world;
"""
# Another number for every row, and for each by another step.
RENEW = f"""
    UPDATE world
    SET randomnumber = 1 + (randomnumber + floor(random() * {NUMBERS - 1})::int) % {NUMBERS}
    RETURNING id, randomnumber
"""


class Scenario(Verifier):
    bounds: ClassVar = {"n": (10, clamped.MOST), "ttl_ms": (200, 5000), "pool": (1, 200)}
    in_a_crowd = True

    psql: Psql
    statements: Statements
    number: int
    ttl_s: float
    before: TableWork | None = None
    answered: Sequence[tuple[float, float]] = ()

    def prepare(self) -> Preparation:
        self.psql = self.opened.enter_context(Psql(self.services_as_owner))
        self.psql.rows(TABLE)
        let_server(self.psql, self.services, "SELECT", "world")
        self.statements = Statements(self.services, "world")
        self.number = self.whole("n")
        ttl_ms = self.whole("ttl_ms")
        self.ttl_s = ttl_ms / 1000
        self.states = RowStates(self._renewed(), self.ttl_s + SLACK_S)
        return Preparation(
            env={
                "WEBDYNO_TTL_MS": str(ttl_ms),
                "WEBDYNO_POOL": str(self.whole("pool")),
            },
            variables={"n": {"kind": "choice", "values": [str(self.number)]}},
        )

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self.expect_http(probe.get("/cached?n=1"))
            self._clamped(probe)
        drawn: list[list[int]] = []
        self._keeps(probe, drawn)
        self._lets_go(probe, drawn)
        same = [ids for ids, other in pairwise(drawn) if ids == other]
        self.expect(
            "different ids are drawn for each request",
            not same,
            str(same[:1] or "")[:80],
            remedy=remedies.DRAWN_ANEW,
        )
        self._at_random(drawn, "asked for")
        if self.phase == "before":
            self.expect_not_found(probe, f"/cached-{self.token()}")

    def verify_restarted(self, probe: Probe, restart: Restart) -> None:
        """With a longer time, rows are kept when the other one is over."""
        if 4 * self.ttl_s > LONGER_S:
            return
        with restart({"WEBDYNO_TTL_MS": f"{LONGER_S * 1000:.0f}"}) as longer:

            def asked() -> list[tuple[int, int]]:
                rows: list[tuple[int, int]] = []
                for _ in range(2 * longer.connections):
                    shown, problem = self._ask(longer, f"?n={MANY}", MANY, [])
                    if not shown:  # With rows, the problem is that they are as old as they may be.
                        self.expect_each("it answers after a restart", [problem])
                    rows += shown
                return rows

            for _ in range(TRIES):
                began_s = time.monotonic()
                asked()
                self._renew()
                newest = self.states.newest
                time.sleep(2 * self.ttl_s)
                kept = sum(newest[id] != held for id, held in asked())
                # Where the machine stood still, what was kept may be too old by now.
                if kept or time.monotonic() - began_s < LONGER_S - 1:
                    break
            else:
                raise Breakdown("rows change and are requested too slowly here to show a cache")
        self.expect(
            f"restarted with a WEBDYNO_TTL_MS of {LONGER_S:g} s, it keeps rows for longer than"
            f" {self.ttl_s:g} s",
            kept > 0,
            f"{2 * self.ttl_s:g} s after all rows changed, it answered none of the old ones",
            remedy="read WEBDYNO_TTL_MS at the start, instead of using a fixed time",
        )

    def before_load(self, probe: Probe) -> None:
        with or_breakdown(UNSEEN):
            self.statements.begin(self.psql)
        self.before = self._work()

    def change(self) -> Change:
        """Every row gets another number, in one statement."""

        def make() -> None:
            with or_breakdown(UNSEEN):
                self.statements.look(self.psql)
            self._renew()

        return Change(make)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        drawn: list[list[int]] = []
        self.answered = [(sample.sent_s, sample.answered_by_s) for sample in samples]
        self.expect_each(
            f"{len(samples)} answers of the load hold {self.number} rows, none of them older than"
            f" {self.ttl_s:g} s plus what a busy machine adds; all rows changed"
            f" {self.states.changes} times so far",
            (self._sampled(sample, drawn) for sample in samples),
        )
        self._at_random(drawn, f"of the {len(samples)} answers")

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """PostgreSQL was asked for each row again and again: one that is asked for all the time is
        never older than what is allowed, and so has been read once in so long at the least."""
        if self.before is None:
            raise Breakdown("the reads of rows were not counted before the load")
        self._each_read(self.before)
        expect_one_by_one(
            self,
            self.statements,
            claim="most of them looked up one row, and returned it unchanged",
            likely=LEAST_LOOK_UPS,
        )

    def _each_read(self, before: TableWork) -> None:
        between = self.sampled_from * self.number / ROWS / max(1, len(self.answered))
        each = least_reads(self.answered, between=between, kept_s=self.ttl_s + LATE_S)
        if each == 0:
            return
        wanted = least_told(self.psql, thorough=self.thorough) * ROWS * each
        work = enough(self.psql, self._work, lambda work: work.since(before).read >= wanted)
        lasted_s = max(by_s for _, by_s in self.answered) - min(self.answered)[0]
        reads = work.since(before).read
        self.expect(
            "each expired row was read from PostgreSQL again, by its counters",
            reads >= wanted,
            f"{reads} reads in {lasted_s:.1f} s; {ROWS} rows that are kept for {self.ttl_s:g} s"
            f" need {ROWS * each}",
            remedy="read each row that has expired by a SELECT of its own, when a request asks for"
            " it; a row expires WEBDYNO_TTL_MS after it was read, however often it is asked for",
        )

    def _work(self) -> TableWork:
        with or_breakdown("the reads of rows cannot be counted"):
            return TableWork.of(self.psql, "world")

    def _renewed(self) -> Mapping[int, int]:
        with or_breakdown("the rows could not be changed"):
            return {int(id): int(number) for id, number in self.psql.rows(RENEW)}

    def _renew(self) -> None:
        began_s = time.monotonic()
        rows = self._renewed()
        self.states.changed(State(began_s, time.monotonic(), rows))

    def _sampled(self, sample: Sample, drawn: list[list[int]]) -> str | None:
        try:
            shown = rows_of(
                sample.status,
                sample.header("content-type"),
                sample.body,
                number=self.number,
                column="randomNumber",
            )
        except Wrong as error:
            return str(error)
        drawn.append([id for id, _ in shown])
        return self.states.rows_problem(shown, sample.sent_s, sample.answered_by_s)

    def _ask(
        self, probe: Probe, query: str, number: int, drawn: list[list[int]]
    ) -> tuple[list[tuple[int, int]], str | None]:
        """The rows of an answer, and what is wrong with it; their ids are added to `drawn`."""
        asked_s = time.monotonic()
        answer = probe.get(f"/cached{query}")
        answered_s = time.monotonic()
        kind = answer.headers.get("content-type", "")
        try:
            shown = rows_of(
                answer.status_code, kind, answer.content, number=number, column="randomNumber"
            )
        except Wrong as error:
            return [], f"/cached{query}: {error}"
        drawn.append([id for id, _ in shown])
        problem = self.states.rows_problem(shown, asked_s, answered_s)
        return shown, problem and f"/cached{query}: {problem}"

    def _clamped(self, probe: Probe) -> None:
        drawn: list[list[int]] = []
        self.expect_each(
            clamped.RULE,
            (
                self._ask(probe, query, number, drawn)[1]
                for query, number in clamped.QUERIES.items()
            ),
        )

    def _keeps(self, probe: Probe, drawn: list[list[int]]) -> None:
        """Right after a change, some rows are those from before it."""
        kept = tries = 0
        ends_s = time.monotonic() + KEEPS_WITHIN_S

        def asked() -> Iterator[tuple[list[tuple[int, int]], str | None]]:
            return (self._ask(probe, f"?n={FEW}", FEW, drawn) for _ in range(probe.connections))

        def problems() -> Iterator[str | None]:
            nonlocal kept, tries
            while kept == 0 and tries < TRIES and time.monotonic() < ends_s:
                yield from (problem for _, problem in asked())
                began_s = time.monotonic()
                self._renew()
                newest, seen_s = self.states.newest, 0.0
                for shown, problem in asked():
                    yield problem
                    seen_s = seen_s or time.monotonic()
                    kept += sum(newest[id] != held for id, held in shown)
                # Where the machine stood still, what was kept may be too old by now.
                tries += seen_s - began_s < self.ttl_s / 2

        self.expect_each(
            "rows are as the table holds them, or held them shortly before", problems()
        )
        if kept == 0 and tries < TRIES:
            raise Breakdown(
                f"rows change and are requested too slowly here to show a cache of {self.ttl_s:g} s"
            )
        self.expect(
            f"rows are kept for {self.ttl_s:g} s: right after all have changed, some of those"
            " answered are still old",
            kept > 0,
            f"{kept} were, after {tries} changes of all rows" if not kept else "",
            remedy="keep each row, once read, in the process for WEBDYNO_TTL_MS milliseconds",
        )

    def _lets_go(self, probe: Probe, drawn: list[list[int]]) -> None:
        """However often they are asked for, all rows are new once their time is over."""

        def problems() -> Iterator[str | None]:
            self._renew()
            newest, new = self.states.newest, 0
            while new < 2 * probe.connections:
                shown, problem = self._ask(probe, f"?n={MANY}", MANY, drawn)
                # An old row is a problem as soon as it is too old.
                yield problem
                new = new + 1 if all(newest[id] == held for id, held in shown) else 0
                time.sleep(PAUSE_S if new == 0 else 0.0)

        self.expect_each(
            f"constantly requested rows expire after {self.ttl_s:g} s",
            problems(),
            remedy="let a row expire that long after it was read, however often it is asked for",
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
