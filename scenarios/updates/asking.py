"""What single requests must do, and several at once: to their answers and to the whole table."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import ClassVar

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.rights import let_server
from webdyno.verifier import Preparation, Probe, Verifier, beside, clamped
from webdyno.verifier.json_answers import Wrong
from webdyno.verifier.settled_state import REST_WITHIN_S, at_rest

answers = beside(__file__, "answers")

ROWS = answers.ROWS
# Requests at once, and rows of each: two of them share a row almost surely.
AT_ONCE, EACH = 8, 150

TABLE = f"""
    CREATE TABLE stock (id INTEGER PRIMARY KEY, quantity INTEGER NOT NULL);
    INSERT INTO stock SELECT id, 1 + floor(random() * {ROWS})::int
        FROM generate_series(1, {ROWS}) AS id;
    ANALYZE stock;
"""
# Every row, each by another step.
CHANGE_ALL = "UPDATE stock SET quantity = quantity + 1 + floor(random() * 1000)::int"
LOCK = (
    "lock each row when it is read (SELECT ... FOR UPDATE) and write it in the same transaction,"
    " which ends before the answer is sent"
)
EACH_ROW = "read each row by a SELECT in every request, and write each"


class CountedRows(Verifier):
    """Asks a few times, without a load, and compares the whole table before and after."""

    bounds: ClassVar = {"n": (5, clamped.MOST), "pool": (1, 200)}
    # Most of them beside the load, with one that asks for many rows.
    asked_again = 40
    psql: Psql
    number: int
    """Rows of each request of the load."""

    def prepare(self) -> Preparation:
        self.psql = self.opened.enter_context(Psql(self.services_as_owner))
        self.psql.rows(TABLE)
        let_server(self.psql, self.services, "SELECT, UPDATE (quantity)", "stock")
        self.number = self.whole("n")
        return Preparation(
            env={"WEBDYNO_POOL": str(self.whole("pool"))},
            variables={"n": {"kind": "choice", "values": [str(self.number)]}},
        )

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self.expect_http(probe.request("POST", "/updates?n=1"))
            self._clamped(probe)
            self._by_get(probe)
        else:
            self._rest(probe)
        self._follows(probe)
        self._at_once(probe)
        if self.phase == "before":
            self.expect_not_found(probe, f"/updates-{self.token()}")

    def verify_beside_load(self, probe: Probe) -> None:
        """Others change the table meanwhile: of the rows of an answer is known between which
        quantities they must be."""
        self.expect_each(
            f"{clamped.RULE}; the rows of the answer have risen",
            (
                self._risen(probe, query, number)
                for query, number in clamped.few(self.random).items()
            ),
        )
        self._not_by_get(probe)
        self.expect_not_found(probe, f"/updates-{self.token()}")

    def _risen(self, probe: Probe, query: str, number: int) -> str | None:
        before, rows, after = self._around(probe, query, number)
        if isinstance(rows, str):
            return rows
        for id, quantity in rows:
            if not before[id] < quantity <= after[id]:
                return (
                    f"/updates{query}: row {id} was answered with {quantity}; the table held"
                    f" {before[id]} before and {after[id]} after it"
                )
        return None

    def _clamped(self, probe: Probe) -> None:
        self.expect_each(
            f"{clamped.RULE}; the rows of the answer have risen by one, and no others",
            (self._counted(probe, query, number) for query, number in clamped.QUERIES.items()),
        )

    def _by_get(self, probe: Probe) -> None:
        before = self._table()
        self._not_by_get(probe)
        self.expect("a GET increments nothing", self._table() == before)

    def _not_by_get(self, probe: Probe) -> None:
        status = probe.get("/updates?n=20").status_code
        self.expect("a GET is answered 404 or 405", status in (404, 405), f"answered {status}")

    def _follows(self, probe: Probe) -> None:
        """Change every row; each worker must then count from what the table holds."""
        for _ in range(2):
            self._run(CHANGE_ALL)
            self.expect_each(
                "rows changed in the database are incremented from what they hold now",
                (self._counted(probe, "?n=20", 20) for _ in range(8)),
                remedy=f"{EACH_ROW}, and end the transaction before the answer is sent",
            )

    def _at_once(self, probe: Probe) -> None:
        before = self._table()
        probes = [
            Probe(probe.base_url, timeout=probe.timeout, connections=1) for _ in range(AT_ONCE)
        ]
        try:
            with ThreadPoolExecutor(AT_ONCE) as threads:
                found = list(threads.map(lambda one: self._post(one, f"?n={EACH}", EACH), probes))
        finally:
            for one in probes:
                one.close()
        after = self._table()
        problems = [each for each in found if isinstance(each, str)]
        rows = [row for each in found if isinstance(each, list) for row in each]
        counted = Counter(id for id, _ in rows)
        claim = f"{AT_ONCE} requests of {EACH} rows at once are all answered"
        self.expect_each(claim, problems)
        short = [id for id, times in counted.items() if after[id] != before[id] + times]
        self.expect(
            f"of {len(rows)} increments made at once, of {len(counted)} rows, none is lost",
            not short and len(set(rows)) == len(rows),
            f"row {short[0]} was incremented {counted[short[0]]} times and rose from"
            f" {before[short[0]]} to {after[short[0]]}"
            if short
            else f"the table rose by {sum(after.values()) - sum(before.values())}",
            remedy=LOCK,
        )

    def _counted(self, probe: Probe, query: str, number: int) -> str | None:
        """Ask, and say what is wrong with the answer or with the table after it."""
        before, rows, after = self._around(probe, query, number)
        if isinstance(rows, str):
            return rows
        for id, quantity in rows:
            if quantity != before[id] + 1 or after[id] != quantity:
                return (
                    f"/updates{query}: row {id} was answered with {quantity}; the table held"
                    f" {before[id]} and now holds {after[id]}"
                )
        others = sum(after.values()) - sum(before.values()) - len(rows)
        return f"/updates{query}: other rows have risen, too, by {others}" if others else None

    def _around(
        self, probe: Probe, query: str, number: int
    ) -> tuple[dict[int, int], list[tuple[int, int]] | str, dict[int, int]]:
        """The table before a request, what `_post` gives of it, and the table after it."""
        before = self._table()
        rows = self._post(probe, query, number)
        return before, rows, self._table()

    def _post(self, probe: Probe, query: str, number: int) -> list[tuple[int, int]] | str:
        """The rows of an answer, or what is wrong with it."""
        answer = probe.request("POST", f"/updates{query}")
        kind = answer.headers.get("content-type", "")
        try:
            rows: list[tuple[int, int]] = answers.rows_of(
                answer.status_code, kind, answer.content, number
            )
        except Wrong as error:
            return f"/updates{query}: {error}"
        return rows

    def _rest(self, probe: Probe) -> int:
        """The sum of the table once it has stopped changing; leaves one count more in it."""
        with closing(Probe(probe.base_url, timeout=probe.timeout)) as last_in_the_queue:
            answer = last_in_the_queue.request("POST", "/updates?n=1", timeout=REST_WITHIN_S)
        self.expect(
            "a single increment is answered 200",
            answer.status_code == 200,
            f"answered {answer.status_code}",
        )
        return at_rest(self._total, "the table")

    def _table(self) -> dict[int, int]:
        rows = self._run("SELECT id, quantity FROM stock")
        return {int(id): int(quantity) for id, quantity in rows}

    def _total(self) -> int:
        [[total]] = self._run("SELECT sum(quantity) FROM stock")
        return int(total)

    def _run(self, sql: str, **values: object) -> list[list[str]]:
        with or_breakdown("the table cannot be read or changed"):
            return self.psql.rows(sql, **values)
