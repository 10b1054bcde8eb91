"""`GET /sku?id=ID` finds a row of a large table; scenario.toml holds the contract.

Rows are renamed behind the server's back, the case of a name is changed, and an id is asked for in
another case than it is stored in: a server that keeps rows, or sends back what it was asked for,
is then out of date or wrong. After the load, the database must have seen a SELECT for each answer,
and been sent a statement for each: one that is sent can run many where it is a program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, ClassVar

from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.services import start_service
from webdyno.runtime.services.dataset import Dataset, install
from webdyno.runtime.services.mysql import MySql
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.within_pool import expect_within_pool
from webdyno.verifier import (
    Breakdown,
    Change,
    Preparation,
    Probe,
    Sample,
    Verifier,
    beside,
    media_problem,
    remedies,
)

asking = beside(__file__, "asking")
renaming = beside(__file__, "renaming")
table = renaming.rows
Work = beside(__file__, "work").Work

LARGEST = 20_000_000
# With so many draws one of ten ids is missed once in 60 million times.
DRAWS = 200
NOW = (
    "read the row at each request, in autocommit mode: a transaction that stays open sees the table"
    " as it was at its first SELECT"
)


class Scenario(Verifier):
    # What the load asks for, and is told meanwhile, is judged no more.
    in_a_crowd = True
    asked_again = 40
    bounds: ClassVar = {
        "rows": (100, LARGEST),
        "seed": (0, None),
        "candidates": (1, 50),
        "pool": (1, 200),
    }
    database: MySql
    renames: renaming.Renames
    skus: list[str]
    before: Any = None
    programs_before = 0

    def prepare(self) -> Preparation:
        rows, seed = self.whole("rows"), self.whole("seed")
        indexed = self._indexed()
        dataset = Dataset(
            table=table.TABLE,
            columns=table.COLUMNS,
            indexes=(table.INDEX,) if indexed else (),
            origin=f"generator {table.VERSION}, seed {seed}, {rows} rows",
            blocks=lambda: table.blocks(seed, rows),
        )
        here = partial(install, cache=Home.default().cache, start=partial(start_service, "mariadb"))
        (self.bring_in or here)(dataset, self.services_as_owner)
        self.database = MySql(self.services_as_owner)
        self.renames = renaming.Renames(self.database)
        self.programs_before = self._work().programs
        # Each scan of the table takes the better part of a second: fewer of them will do.
        self.many = 1 if indexed else 0
        drawn = self.random.sample(range(rows), self.whole("candidates") + 5)
        ids = [table.sku_id(seed, row) for row in drawn]
        self.others, self.skus = ids[:5], ids[5:]
        self.nearest = min(drawn[5:])
        return Preparation(
            env={
                "WEBDYNO_SKUS": ",".join(self.skus),
                "WEBDYNO_POOL": str(self.whole("pool")),
            },
            variables={"id": {"kind": "choice", "values": self.skus}},
            # Right until the row changes; from then on as `change` tells.
            lookups={"id": {sku: sku for sku in self.skus}},
        )

    def verify(self, probe: Probe) -> None:
        self._rows_answer(probe)
        self._stored_form(probe)
        self._no_such_row(probe)
        self._renamed(probe)
        if self.phase == "before":
            self._drawn_by_the_server(probe)
        self.expect_not_found(probe, f"/{self.token()}")

    def change(self) -> Change | None:
        """An id's letters are put into other cases: its row is found as before, and answers so.

        Without an index a change would read the whole table, beside the server.
        """
        if not self.many:
            return None
        sku = self.random.choice(self.skus)
        held = self.renames.held_as.get(sku, sku)
        fresh = held
        while fresh == held:
            fresh = "".join(self.random.choice((c.lower(), c.upper())) for c in sku)

        def make() -> None:
            self.renames.look()
            self.renames.put(sku, fresh)

        return Change(make, variable="id", expected={sku: fresh})

    def audit(self, samples: Sequence[Sample]) -> None:
        changed = self.renames.put_back()
        self.expect_samples(samples)
        self.expect_each(
            f"{len(samples)} answers of the load are the sku_id that was asked for, as text",
            (self._sampled(sample, sample.variables["id"], changed) for sample in samples),
        )

    def _sampled(self, sample: Sample, sku: str, changed: AbstractSet[str]) -> str | None:
        # In which case it was right the engine knows, which compares every answer.
        body = sample.body.lower() if sku in changed else sample.body
        return asking.wrong(sample.status, sample.header("content-type"), body, sku)

    def before_load(self, probe: Probe) -> None:
        self.before = self._work()
        self.renames.begin()

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """The database ran a SELECT for every answer and read a row for it: a server that keeps
        rows runs fewer, and one that asks for a constant reads none."""
        if self.before is None:
            raise Breakdown("the database's statements were not counted before the load")
        now = self._work()
        ran = now.selects - self.before.selects - self.renames.under_load
        answers = sum(counts.get(kind, 0) for kind in ("ok", "failed_check"))
        self.expect(
            "the database ran a SELECT for each answer of the load",
            ran >= answers,
            f"{ran} of them, {answers} answers",
            remedy=remedies.READ_EACH_ROW,
        )
        sent = now.sent - self.before.sent - self.renames.sent
        self.expect(
            "the database was sent a statement for each answer of the load",
            sent >= answers,
            f"{sent} of them, {answers} answers",
            remedy=remedies.READ_EACH_ROW,
        )
        programs = now.programs - self.programs_before
        self.expect(
            "none of them was a compound statement or a call, and no procedure, function, trigger"
            " or event was created",
            programs == 0,
            f"{programs} were",
        )
        if self.many:
            read = now.by_index - self.before.by_index
            self.expect(
                "the database used an index for each answer of the load",
                read >= answers,
                f"{read} times, {answers} answers",
            )
        else:
            read = now.in_scans - self.before.in_scans
            # A scan may stop at the row it looks for, but not before.
            self.expect(
                "the database scanned the table up to a row for each answer of the load",
                read >= answers * self.nearest // 2,
                f"{read} rows read, {answers} answers; the nearest row is number {self.nearest}",
            )
        expect_within_pool(self, self.renames.held_at)

    def _indexed(self) -> bool:
        value = self.parameters["index"]
        if not isinstance(value, bool):
            raise UserError(
                f"scenario point-lookup: parameter 'index' is {value!r}; give true or false"
            )
        return value

    def _work(self) -> Any:
        with or_breakdown("the database's statements cannot be counted"):
            return Work.of(self.database)

    def _rows_answer(self, probe: Probe) -> None:
        asked = self.skus if self.phase == "before" else self.skus[:2]
        if self.phase == "before":
            self.expect_http(asking.get(probe, asked[0]))
        self.expect_each(
            "each id that the load asks for is answered with its row's sku_id, as text",
            (asking.problem(probe, sku) for sku in asked),
        )
        self.expect_each(
            "so are the ids of other rows of the table",
            (asking.problem(probe, sku) for sku in self.others[: 4 * self.many + 1]),
        )

    def _stored_form(self, probe: Probe) -> None:
        self.expect_each(
            "an id in capitals is answered as its row holds it: the answer is read, not echoed",
            (asking.problem(probe, sku.upper(), sku) for sku in self.skus[: self.many + 1]),
            remedy="answer the sku_id of the row that was read",
        )

    def _no_such_row(self, probe: Probe) -> None:
        unknown = [self.skus[0][:-12] + self.token(12) for _ in range(self.many + 1)]
        self.expect_each(
            "an id that no row has is answered 404", (asking.missing(probe, sku) for sku in unknown)
        )
        if self.phase == "before":
            self.expect_each(
                "so is an empty id: it does not count as missing", [asking.missing(probe, "")]
            )
            self.expect_each(
                "an id is passed as a value, not as part of the statement",
                (asking.missing(probe, sku) for sku in ("x' OR '1'='1", "%", 'x" OR "1"="1')),
                remedy="pass the id as a parameter of the statement, and compare it by =",
            )

    def _renamed(self, probe: Probe) -> None:
        rounds = 1 + 2 * self.many if self.phase == "before" else 1
        for sku in self.random.sample(self.skus, min(rounds, len(self.skus))):
            fresh = sku[:-12] + self.token(12)
            capitals = fresh.upper()
            self.renames.rename(sku, fresh)
            self.expect_each(
                "a row renamed in the database is found by its new id at once, not by the old",
                (
                    ask
                    for _ in range(1 + 3 * self.many)
                    for ask in (asking.problem(probe, fresh), asking.missing(probe, sku))
                ),
                remedy=NOW,
            )
            self.renames.rename(fresh, capitals)
            self.expect_each(
                "a row whose id was changed to capitals in the database is answered in capitals",
                (asking.problem(probe, fresh, capitals) for _ in range(1 + 3 * self.many)),
                remedy=NOW,
            )
            self.renames.rename(capitals, sku)
            self.expect_each(
                "the row is found again once it is renamed back",
                (asking.problem(probe, sku) for _ in range(1 + 3 * self.many)),
                remedy=NOW,
            )

    def _drawn_by_the_server(self, probe: Probe) -> None:
        seen = set()
        for _ in range(DRAWS if self.many else 3):
            answer = probe.get("/sku")
            kind = answer.headers.get("content-type", "")
            body = answer.content.decode("utf-8", "replace")
            seen.add(body)
            if body not in self.skus or answer.status_code != 200:
                break
            if media_problem(kind, "text/plain"):
                break
        # How many of them is told and not judged: one published server drew from six of the ten.
        self.expect(
            "without an id, one of the ids of WEBDYNO_SKUS is drawn and its row answers",
            seen <= set(self.skus) and not media_problem(kind, "text/plain"),
            f"{len(seen)} different ones of {len(self.skus)} seen;"
            f" last: answered {answer.status_code}: {body[:60]!r}",
        )
