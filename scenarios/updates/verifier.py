"""`POST /updates?n=N` counts N rows of a table up by one; scenario.toml holds the contract.

The whole table is compared before and after a request: exactly the rows of the answer have risen,
each by one. Rows are changed behind the server's back, also while the load runs, several requests
come at once, and at the end every count of the load must be in the table, and every change made
meanwhile as well: who writes what it kept in memory, or does not lock what it reads, loses some.
A row that rose behind the server's back is answered from there on: who counts in memory and writes
later does not know of it yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webdyno.runtime.services import wal
from webdyno.runtime.services.counted_at_rest import counted_at_rest
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.statement_claims import UNSEEN, expect_one_by_one
from webdyno.runtime.services.statements import Statements
from webdyno.runtime.services.table_work import TableWork, enough, least_told, untold, with_untold
from webdyno.verifier import Breakdown, Change, Preparation, Probe, Sample, beside
from webdyno.verifier.json_answers import Wrong

asking = beside(__file__, "asking")
raising = beside(__file__, "raising")
answers = asking.answers

ROWS = answers.ROWS
# The share of an honest server's statements on the table that look up one row: half of them or more
# where one UPDATE writes all rows of a request; less where there is one for each row, since those
# take longer. A server fails below the least, if so few would not be luck at the likely share.
LIKELY_LOOK_UPS, LEAST_LOOK_UPS = 0.2, 0.05
LOST = ("reset", "timed_out", "malformed")
UNCOUNTED = "the database's commits cannot be counted"


class Scenario(asking.CountedRows):
    # An answer that comes before its commit shows by one given a moment before a look.
    samples = 2000

    statements: Statements
    before: tuple[int, TableWork] | None = None
    at_load: Mapping[int, int]
    log_begin: str
    """Where PostgreSQL's log ended before the load."""
    ours: raising.Raised

    def prepare(self) -> Preparation:
        prepared: Preparation = super().prepare()
        self.statements = Statements(self.services, "stock")
        return prepared

    def before_load(self, probe: Probe) -> None:
        total = self._rest(probe)
        self.at_load, self.ours = self._table(), raising.Raised()
        self.before = total, counted_at_rest(self.psql, self.services, self._work)
        with or_breakdown(UNSEEN):
            self.statements.begin(self.psql)
        with or_breakdown(UNCOUNTED):
            self.log_begin = wal.position(self.psql)

    def change(self) -> Change | None:
        """Some rows rise by some thousands: nothing that the server keeps may undo it."""
        rows = self.random.sample(range(1, ROWS + 1), raising.AT_ONCE)
        by = {id: self.random.randint(1000, 9999) for id in rows}

        def make() -> None:
            with or_breakdown(UNSEEN):
                self.statements.look(self.psql)
            self.ours.make(self._run, by)

        return Change(make)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        now = self._table()
        answered: list[tuple[float, list[tuple[int, int]]]] = []
        seen: set[tuple[int, int]] = set()

        def problem(sample: Sample) -> str | None:
            kind = sample.header("content-type")
            try:
                rows = answers.rows_of(sample.status, kind, sample.body, self.number)
            except Wrong as error:
                return str(error)
            for id, quantity in rows:
                if not self.at_load[id] < quantity <= now[id]:
                    return (
                        f"row {id} was answered with {quantity}; the table held"
                        f" {self.at_load[id]} before the load and holds {now[id]}"
                    )
                if quantity <= (least := self.ours.risen_to(id, sample.sent_s)):
                    return (
                        f"row {id} was answered with {quantity}; before the request was sent, it"
                        f" had risen to {least}"
                    )
                if (id, quantity) in seen:
                    return f"row {id} was incremented to {quantity} twice"
                seen.add((id, quantity))
            answered.append((sample.answered_by_s, rows))
            return None

        self.expect_each(
            f"{len(samples)} answers of the load hold {self.number} rows, each raised by one",
            map(problem, samples),
        )
        self.expect_each(
            f"what was answered was committed by then, by {len(self.ours.held)} looks into the"
            " table during the load",
            self.ours.not_committed(answered),
            remedy="send the answer after the COMMIT has returned",
        )
        drawn = [[id for id, _ in rows] for _, rows in answered]
        self._at_random(drawn, f"of the {len(samples)} answers")

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """The table rose by the rows of the accepted answers, and by our own changes.

        A request that the end of the load cut off, or whose answer was lost, may have been counted:
        all of its rows, or none.
        """
        if self.before is None:
            raise Breakdown("the quantities were not read before the load")
        total, work = self.before
        risen = self._rest(probe) - total - self.ours.by - 1  # one count is our own
        answered = sum(counts.get(kind, 0) for kind in ("ok", "failed_check"))
        lost = sum(counts.get(kind, 0) for kind in LOST)
        unanswered = sum(counts.get(kind, 0) for kind in ("unfinished", "wrong_status")) + lost
        least, most = self.number * answered, self.number * (answered + unanswered)
        self.counted = {"rows updated": max(0, risen)}
        self.expect(
            "the table rose by the rows of the load's answers and by our changes",
            least <= risen <= most,
            f"by {risen}, with {answered} answers of {self.number} rows and {unanswered} requests"
            f" left without one; our changes were {self.ours.by} more",
            remedy=asking.LOCK if risen < least else "",
        )
        self.expect(
            "each request has incremented all of its rows or none",
            risen % self.number == 0,
            f"{risen} rows, {self.number} per request",
            remedy="write all rows of a request in one transaction",
        )
        self._each_wrote(work, answered)
        self._let_go()
        self._by_themselves()

    def _each_wrote(self, before: TableWork, answered: int) -> None:
        with or_breakdown(UNCOUNTED):
            rows_of_each = wal.committed_since(self.psql, self.log_begin, "stock")
        # Our own changes are of a single row, with which no load contents itself.
        commits = sum(rows >= self.number for rows in rows_of_each)
        self.expect(
            "each request was committed by itself, by PostgreSQL's log",
            commits >= answered,
            f"{commits} commits, {answered} answers",
            remedy="write all rows of a request in one transaction, and end it by a COMMIT of its"
            " own, before the answer is sent",
        )
        told_before = min(before.looked_up, before.updated)
        late = untold(self.psql, self.answered_before, told_before / self.number)
        least = least_told(self.psql, thorough=self.thorough)
        wanted = self.ours.rows + least * self.number * (late + answered)

        def told(work: TableWork) -> bool:
            return min(work.looked_up, work.updated) >= wanted

        done = enough(self.psql, lambda: self._work().since(before), told)
        self.expect(
            "each row was looked up and written, by the counters of PostgreSQL",
            told(done),
            f"{done.looked_up - self.ours.rows} look-ups and {done.updated - self.ours.rows} rows"
            f" written, for {with_untold(f'{answered} answers of {self.number} rows', late)}",
            remedy=asking.EACH_ROW,
        )

    def _let_go(self) -> None:
        """Rows are held by the transactions of requests under way: whoever holds more of them, to
        have us wait with our changes, decides what the table holds."""
        if not self.ours.given or self.whole("pool") * self.number > raising.MOST_HELD * ROWS:
            return
        held = raising.LOOKED_AT - self.ours.least_free
        self.expect(
            f"of {raising.LOOKED_AT} rows looked at before each of our changes, most were locked by"
            " nobody",
            held <= raising.LOOKED_AT / 2,
            f"{held} were locked once; {self.whole('pool')} transactions of {self.number} rows lock"
            f" {self.whole('pool') * self.number} of {ROWS}",
            remedy="end each request's transaction by its own COMMIT, before the answer is sent",
        )

    def _by_themselves(self) -> None:
        expect_one_by_one(
            self,
            self.statements,
            claim="enough of them looked up one row, and returned it unchanged",
            likely=LIKELY_LOOK_UPS,
            least=LEAST_LOOK_UPS,
        )

    def _at_random(self, drawn: Sequence[Sequence[int]], what: str) -> None:
        rows = sum(map(len, drawn))
        self.expect_each(
            f"the ids of {rows} rows {what} are drawn at random from all of 1..{ROWS}",
            answers.not_at_random(drawn),
        )

    def _work(self) -> TableWork:
        with or_breakdown("the rows written cannot be counted"):
            return TableWork.of(self.psql, "stock")
