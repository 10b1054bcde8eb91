"""`GET /` counts the visits of a session; scenario.toml holds the contract.

The count must live in the database: it is changed there behind the server's back, up and down,
and old cookies are sent again, so that a count kept in memory or in the cookie is out of date. The
cookie must be signed: characters of it are changed, two good ones are spliced, and one is made for
a session that the server never began. A server that is started again must accept it with the same
secret, and refuse it with another. While the load runs, counts of its visitors are set in the
table, and later visits must go on from them. After it, the counters must have risen by its answers,
each in a commit of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.sessions import OF_A_VISIT, Total
from webdyno.runtime.services.table_work import with_untold
from webdyno.verifier import Breakdown, Change, Probe, Sample, beside

asking = beside(__file__, "asking")
moving = beside(__file__, "moves")
wrong = asking.visitors.wrong
COMMIT, FROM_THE_ROW = asking.COMMIT, asking.FROM_THE_ROW

LOST = ("reset", "timed_out", "malformed")
# Answers for each visitor, of a load whose visitors come again all the while.
OFTEN = 10
UNREAD = "the reads of usersessions cannot be counted"


class Scenario(asking.CountedVisits):
    before: Total | None = None
    moves: moving.Moves
    answered = sessions = again = 0
    """Before the warm-up: answers and rows; in it: visits with a cookie, at the least."""

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self.expect_each(
            f"{len(samples)} answers of the load are counts, as text",
            (wrong(s.status, s.header("content-type"), s.body) for s in samples),
        )
        looks = sum(look.written is not None for look in self.moves.looks)
        if looks:
            self.expect_each(
                "the counts answered to returning visitors were in the table by then, as far as it"
                f" was looked into during the load: {looks} times",
                self.moves.unwritten(
                    (s.sent_s, s.answered_by_s) for s in samples if not s.body.endswith(b" is 1")
                ),
                remedy=COMMIT,
            )

    def before_warm_up(self) -> None:
        with or_breakdown(UNREAD):
            self.store.before_warm_up()
        self.answered, self.sessions = self.answered_before, self._total().sessions

    def before_load(self, probe: Probe) -> None:
        self.before = self._rest(probe)
        # A row may also be that of a visit which was not answered any more.
        begun = self.before.sessions - self.sessions
        self.again = max(0, self.answered_before - self.answered - begun)
        with or_breakdown("the database's commits cannot be counted"):
            self.store.begin()
        # Several loads may follow one start, and each has counts of its own.
        self.moves = moving.Moves(self.random)

    def change(self) -> Change | None:
        made: Change | None = self.moves.next(self.store)
        return made

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """The counters rose by the accepted answers; by more only for what was left unanswered.

        A request that the end of the load cut off, or whose answer was lost, may have been counted:
        so many more are allowed. Where answers were lost the sum may also fall short, since the
        request of a user that comes through late overwrites what was counted meanwhile.
        """
        if self.before is None:
            raise Breakdown("the counters were not read before the load")
        after = self._rest(probe)
        followed = self.moves.followed(self.store)
        # One visit is our own.
        risen = after.visits - self.before.visits - 1 - followed.effect
        begun = after.sessions - self.before.sessions - 1
        self.counted = {"rows inserted": max(0, begun), "rows updated": max(0, risen - begun)}
        # Pools keep theirs when the load is over.
        self.held = {"database connections": self.store.connections()}
        answered = sum(counts.get(kind, 0) for kind in ("ok", "failed_check"))
        lost = sum(counts.get(kind, 0) for kind in LOST)
        # An error may come from before the count or from after it.
        unanswered = sum(counts.get(kind, 0) for kind in ("unfinished", "wrong_status")) + lost
        self.expect(
            "the counters in the table rose by the answers of the load",
            risen <= answered + unanswered and (risen >= answered or lost > 0),
            f"by {risen}, with {answered} answers and {unanswered} requests left without one;"
            f" {begun} of them inserted a row, {risen - begun} updated one",
            remedy=COMMIT if risen < answered else "",
        )
        self._each_wrote(answered)
        text = self.store.sent_together()
        self.expect(
            "the statements of each visit are sent separately, by what the database was seen to"
            " run",
            not text,
            text,
            remedy="send each statement separately, and no visit's together with another's",
        )
        if self.moves:
            self._went_on(followed, unanswered, comes_again=answered >= OFTEN * begun)
        # Last: who keeps counts in memory reads no rows either, and is to be told of that first.
        self._each_read(answered - begun)

    def _each_wrote(self, answered: int) -> None:
        """Each visit was written for itself: a hundred in one commit cost a hundredth."""
        with or_breakdown("the database's commits cannot be counted"):
            written = self.store.writes()
        self.expect(
            "each visit was committed by itself",
            written.commits >= answered,
            f"{written.commits} commits, {answered} answers",
            remedy=COMMIT,
        )
        if written.rows is not None:
            self.expect(
                "each visit wrote a row",
                written.rows >= answered,
                f"{written.rows} rows written, {answered} answers",
                remedy=COMMIT,
            )

    def _each_read(self, again: int) -> None:
        """Each of the visits `again` found its row twice: to read it, and to write it. An UPDATE
        that counts by itself finds it once."""
        if again <= 0:
            return
        with or_breakdown(UNREAD):
            found = self.store.reads(
                OF_A_VISIT * again, OF_A_VISIT * self.again, thorough=self.thorough
            )
        if found is not None:
            self.expect(
                "each visit with a cookie read its row before it wrote it, by PostgreSQL's"
                " counters",
                found.seen >= found.least,
                f"{found.seen} look-ups,"
                f" {with_untold(f'{again} visits with a cookie', found.late / OF_A_VISIT)}",
                remedy="read the session's row by a SELECT at each visit with a cookie, and then"
                " write it",
            )

    def _went_on(self, found: moving.Followed, unanswered: int, *, comes_again: bool) -> None:
        kept, undone, stayed, _ = found
        never_met = comes_again and stayed >= moving.NEVER_MET
        self.expect(
            f"the counts of {len(self.moves.by_uid)} visitors follow the table, in which they were"
            f" set {len(self.moves)} times during the load, at random moments",
            kept > 0 or (undone < moving.ENOUGH and not never_met),
            f"visits continued from {kept} of the counts that were set; {undone} were overwritten"
            f" with the old count, {stayed} were never seen",
            remedy=FROM_THE_ROW,
        )
        self.expect(
            "visits that continued from them in the table were answered accordingly",
            self.followed >= kept - unanswered,
            f"{self.followed} answers continued from a count that was set, {kept} rows did",
        )
