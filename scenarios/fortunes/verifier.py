"""`GET /fortunes?added=TEXT` renders rows and one more, sorted; scenario.toml holds the contract.

The texts are random and fresh in every trial, hold what HTML must escape, and begin so that no
other order than that of code points is right. Rows are changed, added and removed behind the
server's back, also while the load runs: sampled answers must show the table as it was when they
were asked for. Every request of the load brings a text of its own, so that no page fits a second
time, and after it PostgreSQL must have read the table once for each answer. The statements that it
was seen to run must have returned all rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar
from urllib.parse import quote, unquote

import httpx

from webdyno.runtime.services.counted_at_rest import counted_at_rest
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.rights import let_server
from webdyno.runtime.services.statement_claims import UNSEEN, expect_whole_rows
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
    remedies,
)
from webdyno.verifier.html import Token, page_problem, tokens
from webdyno.verifier.states import State, States

TABLE = "CREATE TABLE fortune (id INTEGER PRIMARY KEY, message TEXT NOT NULL)"
WORDS = [
    "engine", "torque", "brake", "shaft", "bearing", "coolant", "throttle", "gauge", "dial",
    "bench", "belt", "pulley", "valve", "piston", "reading", "margin", "drift", "noise",
    "sample", "trial", "morning", "workshop", "driver", "inspector", "apprentice", "road",
    "hill", "winter", "rain", "letter", "figure", "curve", "pencil", "kettle", "window",
]  # fmt: skip
# One after the other, texts begin so: dictionaries and languages order them otherwise.
BEGINNINGS = ("a ", "B ", "b ", "A ", "é ", "Z ", "フレームワーク ", "10 ", "9 ", "_ ", "z ", "Ä ")
OUT_OF_ORDER = "the rows are not sorted by message in code point order"
SORTED = (
    "sort in the program, after the request's row was added, by code points and not by a locale"
)
# Each text holds one of these, so that a template that does not escape, or does it twice, shows.
PROOFS = (
    '<script>alert("This should not be displayed.");</script>',
    "a < b & c > d",
    "Smith & Sons",
    'said "no"',
    "the driver's",
    "&amp; so on",
    "ベンチマーク",
)
CHARACTERS = 60

Fortunes = Mapping[int, str]


def page(fortunes: Fortunes, added: str) -> list[Token]:
    """The page of these rows and of the one added, as tokens."""
    rows = sorted([(message, id) for id, message in fortunes.items()] + [(added, 0)])
    marked = "".join(f"<tr><td>{id}</td><td>M</td></tr>" for _, id in rows)
    messages = iter([message for message, _ in rows])
    return [
        token._replace(value=next(messages)) if token == Token("text", "M") else token
        for token in tokens(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Fortunes</title>'
            "</head><body><table><tr><th>id</th><th>message</th></tr>"
            f"{marked}</table></body></html>"
        )
    ]


def wrong(status: int, content_type: str, body: bytes, expected: list[Token]) -> str | None:
    """What is wrong with an answer; None where it is the page expected."""
    return page_problem(status, content_type, body, expected, out_of_order=OUT_OF_ORDER)


class Scenario(Verifier):
    bounds: ClassVar = {"fortunes": (2, 500), "phrases": (1, 1000), "pool": (1, 200)}
    in_a_crowd = True

    psql: Psql
    statements: Statements
    fortunes: dict[int, str]
    states: States[Fortunes] | None = None
    before: TableWork | None = None
    looks: Sequence[LookAtWork] = ()
    """What was counted by some moments of the load."""
    answered_s: Sequence[float] = ()

    def prepare(self) -> Preparation:
        self.psql = self.opened.enter_context(Psql(self.services_as_owner))
        self.psql.rows(TABLE)
        let_server(self.psql, self.services, "SELECT", "fortune")
        self.statements = Statements(
            self.services, "fortune", ("id", "message"), unsorted=("message",)
        )
        self.fortunes = {}
        for id in self.random.sample(range(1, 1000), self.whole("fortunes")):
            self._put(id, self._text(BEGINNINGS[len(self.fortunes) % len(BEGINNINGS)]))
        phrases = [quote(self._text(), safe="") for _ in range(self.whole("phrases"))]
        return Preparation(
            env={"WEBDYNO_POOL": str(self.whole("pool"))},
            variables={"phrase": {"kind": "choice", "values": phrases}},
        )

    def verify(self, probe: Probe) -> None:
        if self.phase == "before":
            self.expect_http(self._get(probe, "first"))
        problems = (self._problem(probe, self._text(start)) for start in BEGINNINGS)
        problem = next(filter(None, problems), "")
        self.expect(
            f"the page shows the {len(self.fortunes)} rows of the table and the request's own,"
            " in order",
            not problem,
            problem,
            remedy=SORTED if OUT_OF_ORDER in problem else "",
        )
        self.expect_each(
            "texts that contain mark-up, quotes and other alphabets are shown as they are",
            (self._problem(probe, f"{self.token()} {proof}") for proof in PROOFS),
        )
        self._changes(probe)
        self._nothing_added(probe)
        self.expect_not_found(probe, f"/fortunes-{self.token()}")

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self.answered_s = [sample.answered_by_s for sample in samples]
        states = self.states or States(dict(self.fortunes))
        changes = states.changes
        then = f" as they were then, which changed {changes} times," if changes else ""
        self.expect_each(
            f"{len(samples)} answers of the load are the page of the rows{then} and of their own"
            " text",
            (self._sampled(sample, states) for sample in samples),
        )

    def _sampled(self, sample: Sample, states: States[Fortunes]) -> str | None:
        """What is wrong with an answer of the load, by the rows that it may show."""
        added = f"{unquote(sample.variables['phrase'])} No. {sample.variables['number']}"
        kind = sample.header("content-type")
        return states.problem(
            lambda fortunes: wrong(sample.status, kind, sample.body, page(fortunes, added)),
            sample.sent_s,
            sample.answered_by_s,
        )

    def before_load(self, probe: Probe) -> None:
        self.states = States(dict(self.fortunes))
        self.before = counted_at_rest(self.psql, self.services, self._work)
        with or_breakdown(UNSEEN):
            self.statements.begin(self.psql)
        self.looks = ()

    def change(self) -> Change:
        """A row gets another text, in one statement: a page shows all of it or nothing."""
        id, fresh = self.random.choice(list(self.fortunes)), self._text()

        def make() -> None:
            assert self.states is not None
            with or_breakdown(UNSEEN):
                self.statements.look(self.psql)
                self.looks = [*self.looks, look_at_work(self.psql, "fortune")]
            began_s = time.monotonic()
            self._put(id, fresh)
            self.states.changed(State(began_s, time.monotonic(), dict(self.fortunes)))

        return Change(make)

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """PostgreSQL read the table for each answer: less where a server keeps rows."""
        if self.before is None:
            raise Breakdown("the reads of the table were not counted before the load")
        answers = sum(counts.get(kind, 0) for kind in ("ok", "failed_check"))
        before, rows = self.before, len(self.fortunes)
        late = untold(self.psql, self.answered_before, before.whole_reads(rows))
        wanted = least_told(self.psql, thorough=self.thorough) * (late + answers)

        def told(work: TableWork) -> bool:
            return work.whole_reads(rows) >= wanted

        done = enough(self.psql, lambda: self._work().since(before), told)
        given = with_untold(f"{answers} answers", late)
        self.expect(
            "PostgreSQL read the table for each answer of the load, by its counters",
            done.read >= wanted,
            f"{done.read} times, {given}",
            remedy=remedies.READ_ALL_ROWS,
        )
        self.expect(
            "it read all rows as often, in at least as many transactions",
            told(done),
            f"{done.rows_read} rows of {rows} in {done.transactions} transactions, {given}",
            remedy=remedies.AUTOCOMMIT if done.transactions < wanted else remedies.READ_ALL_ROWS,
        )
        expect_told_in_time(
            self,
            self.looks,
            before,
            self.answered_s,
            lambda work: work.whole_reads(rows),
            remedies.READ_ALL_ROWS,
        )
        expect_whole_rows(self, self.statements, remedies.READ_ALL_ROWS)

    def _work(self) -> TableWork:
        with or_breakdown("the reads of the table cannot be counted"):
            return TableWork.of(self.psql, "fortune")

    def _get(self, probe: Probe, added: str) -> httpx.Response:
        return probe.get(f"/fortunes?added={quote(added, safe='')}")

    def _problem(self, probe: Probe, added: str) -> str | None:
        answer = self._get(probe, added)
        kind = answer.headers.get("content-type", "")
        problem = wrong(answer.status_code, kind, answer.content, page(self.fortunes, added))
        self.answered_before += problem is None
        return problem and f"{answer.url.raw_path.decode()}: {problem}"

    def _changes(self, probe: Probe) -> None:
        chosen = self.random.choice(list(self.fortunes))
        held = self.fortunes[chosen]
        fresh = next(id for id in range(1, 2000) if id not in self.fortunes)
        ways: list[tuple[str, Callable[[], None]]] = [
            ("changed", lambda: self._put(chosen, self._text())),
            ("added", lambda: self._put(fresh, self._text())),
            ("removed", lambda: self._remove(fresh)),
            ("put back", lambda: self._put(chosen, held)),
        ]
        for way, change in ways if self.phase == "before" else (ways[0], ways[3]):
            change()
            self.expect_each(
                f"the page follows the table when a row is {way}",
                (self._problem(probe, self._text()) for _ in range(8)),
                remedy=remedies.READ_ALL_ROWS,
            )

    def _nothing_added(self, probe: Probe) -> None:
        answers = {query: probe.get(f"/fortunes{query}").status_code for query in ("", "?added=")}
        self.expect_each(
            "a request without a text is answered 400",
            (
                f"/fortunes{query} was answered {status}"
                for query, status in answers.items()
                if status != 400
            ),
        )

    def _text(self, start: str = "") -> str:
        """A text of its own; it neither begins nor ends with white space."""
        words = [start or self.random.choice(BEGINNINGS), self.token(), " "]
        words.append(self.random.choice(PROOFS))
        while sum(map(len, words)) < CHARACTERS:
            words += [" ", self.random.choice(WORDS)]
        return "".join(words)

    def _put(self, id: int, message: str) -> None:
        self._run(
            "INSERT INTO fortune VALUES (:id, :'message')"
            " ON CONFLICT (id) DO UPDATE SET message = excluded.message",
            id=id,
            message=message,
        )
        self.fortunes[id] = message

    def _remove(self, id: int) -> None:
        self._run("DELETE FROM fortune WHERE id = :id", id=id)
        del self.fortunes[id]

    def _run(self, sql: str, **values: object) -> None:
        with or_breakdown("a row could not be changed"):
            self.psql.rows(sql, **values)
