"""What single requests must show of a cache: rows from before a change, and soon none of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise
from typing import ClassVar

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.rights import let_server
from webdyno.runtime.services.statements import Statements
from webdyno.verifier import Breakdown, Preparation, Probe, Restart, Verifier, clamped, remedies
from webdyno.verifier.awake import ALWAYS, AwakeClock
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


class RowsInACache(Verifier):
    """Asks a few times while the rows change, without a load."""

    bounds: ClassVar = {"n": (10, clamped.MOST), "ttl_ms": (200, 5000), "pool": (1, 200)}

    psql: Psql
    statements: Statements
    states: RowStates
    number: int
    ttl_s: float

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

    def _renewed(self) -> Mapping[int, int]:
        with or_breakdown("the rows could not be changed"):
            return {int(id): int(number) for id, number in self.psql.rows(RENEW)}

    def _renew(self, clock: AwakeClock = ALWAYS) -> None:
        began_s = clock.now()
        rows = self._renewed()
        self.states.changed(State(began_s, clock.now(), rows))

    def _ask(
        self, probe: Probe, query: str, number: int, drawn: list[list[int]]
    ) -> tuple[list[tuple[int, int]], str | None]:
        """The rows of an answer, and what is wrong with it; their ids are added to `drawn`."""
        # A row that arrives while the server stands still is kept from when it goes on.
        asked_s = probe.clock.now()
        answer = probe.get(f"/cached{query}")
        answered_s = probe.clock.now()
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
        asked = clamped.QUERIES if self.phase == "before" else clamped.few(self.random)
        self.expect_each(
            clamped.RULE,
            (self._ask(probe, query, number, drawn)[1] for query, number in asked.items()),
        )

    def _keeps(self, probe: Probe, drawn: list[list[int]]) -> None:
        """Right after a change, some rows are those from before it."""
        first_s, kept, tries = time.monotonic(), 0, 0
        ends_s = probe.clock.now() + KEEPS_WITHIN_S

        def asked() -> Iterator[tuple[list[tuple[int, int]], str | None]]:
            return (self._ask(probe, f"?n={FEW}", FEW, drawn) for _ in range(probe.connections))

        def problems() -> Iterator[str | None]:
            nonlocal kept, tries
            while kept == 0 and tries < TRIES and probe.clock.now() < ends_s:
                yield from (problem for _, problem in asked())
                began_s = time.monotonic()
                self._renew(probe.clock)
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
            if probe.clock.stood_still(first_s, time.monotonic()):
                return  # For longer than rows are kept: the first proof has shown that they are.
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
            self._renew(probe.clock)
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
