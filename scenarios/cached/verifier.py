"""`GET /cached?n=N` answers N rows from a cache in the process; scenario.toml holds the contract.

All rows get other numbers behind the server's back, before the load, while it runs, and after it.
Right after such a change a server that keeps rows still shows the old ones: one that shows none has
no cache. When their time is over it may show none of them any more, and each answer of the load
that was sampled is held against what the table held in the time that counts for it. After the load,
PostgreSQL must have read each row as often as it had to expire, and none of the statements that it
was seen to run may have read several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webdyno.runtime.services.counted_at_rest import counted_at_rest
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.statement_claims import UNSEEN, expect_one_by_one
from webdyno.runtime.services.table_work import TableWork, enough, least_told, untold
from webdyno.runtime.services.told_in_time import (
    LATE_S,
    LEAST,
    LookAtWork,
    expect_few_late,
    look_at_work,
)
from webdyno.verifier import Breakdown, Change, Probe, Sample, beside
from webdyno.verifier.json_answers import Wrong, rows_of

asking = beside(__file__, "asking")
least_reads = beside(__file__, "reads").least_reads

ROWS = asking.ROWS
# What a timer or a coarse clock of a cache may add to the age of a row; how long the SELECT took
# does not count.
COARSE_S = 0.1
# The share of an honest server's statements on the table that look up one row, at the least: they
# are all that it has to send.
LEAST_LOOK_UPS = 0.5
READ_EXPIRED = (
    "read each row that has expired by a SELECT of its own, when a request asks for it; a row"
    " expires WEBDYNO_TTL_MS after it was read, however often it is asked for"
)


class Scenario(asking.RowsInACache):
    in_a_crowd = True
    # The more there are, the shorter the times in which each row was asked for.
    samples = warm_up_samples = 1000

    cold: TableWork | None = None
    """What was read before the warm-up ..."""
    warm_reads = 0
    """... and in it, at the least."""
    before: TableWork | None = None
    answered: Sequence[tuple[float, float]] = ()
    looks: Sequence[LookAtWork] = ()
    """What was counted by some moments of the load."""

    def before_warm_up(self) -> None:
        self.cold, self.warm_reads = self._work(), 0

    def warmed(self, samples: Sequence[Sample], answers: int) -> None:
        self.warm_reads += self._least_reads(_times(samples), answers)

    def before_load(self, probe: Probe) -> None:
        self.before = counted_at_rest(self.psql, self.services, self._work)
        with or_breakdown(UNSEEN):
            self.statements.begin(self.psql)
        self.looks = ()

    def change(self) -> Change:
        """Every row gets another number, in one statement."""

        def make() -> None:
            with or_breakdown(UNSEEN):
                self.statements.look(self.psql)
                self.looks = [*self.looks, look_at_work(self.psql, "world")]
            self._renew()

        return Change(make)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        drawn: list[list[int]] = []
        self.answered = _times(samples)
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
        needed = self._least_reads(self.answered, self.sampled_from)
        if needed == 0:
            return
        late = 0.0
        if self.cold is not None:
            late = untold(self.psql, self.warm_reads, before.since(self.cold).read)
        wanted = least_told(self.psql, thorough=self.thorough) * (late + needed)
        work = enough(self.psql, self._work, lambda work: work.since(before).read >= wanted)
        lasted_s = max(by_s for _, by_s in self.answered) - min(self.answered)[0]
        reads = work.since(before).read
        before_it = (
            f", and {late:.0f} of the warm-up were not counted before the load"
            if late >= 0.5
            else ""
        )
        self.expect(
            "each expired row was read from PostgreSQL again, by its counters",
            reads >= wanted,
            f"{reads} reads in {lasted_s:.1f} s; {ROWS} rows that are kept for {self.ttl_s:g} s"
            f" need {needed}{before_it}",
            remedy=READ_EXPIRED,
        )
        # All rows may expire together: who then reads several on one connection has most of them
        # counted when that is used again.
        late_s = LATE_S + self.ttl_s
        expect_few_late(self, self._late(before, late_s), READ_EXPIRED, late_s)

    def _late(self, before: TableWork, late_s: float) -> list[str | None]:
        """Of each look by which reads were due for `late_s`: what had been counted by then, where
        that was far less."""
        found: list[str | None] = []
        for at_s, work in self.looks:
            asked = [one for one in self.answered if one[1] < at_s - late_s]
            answers = self.sampled_from * len(asked) // max(1, len(self.answered))
            if needed := self._least_reads(asked, answers):
                reads = work.since(before).read
                found.append(f"{reads} of {needed} rows" if reads < LEAST * needed else None)
        return found

    def _least_reads(self, asked: Sequence[tuple[float, float]], answers: int) -> int:
        """How often rows were read, at the least, for `answers` of which some were `asked` then."""
        between = answers * self.number / ROWS / max(1, len(asked))
        return int(ROWS * least_reads(asked, between=between, kept_s=self.ttl_s + COARSE_S))

    def _work(self) -> TableWork:
        with or_breakdown("the reads of rows cannot be counted"):
            return TableWork.of(self.psql, "world")

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


def _times(samples: Sequence[Sample]) -> list[tuple[float, float]]:
    """When they were sent, and by when they were answered."""
    return [(sample.sent_s, sample.answered_by_s) for sample in samples]
