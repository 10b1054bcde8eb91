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

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, starmap
from secrets import token_hex
from typing import ClassVar

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.sessions import PostgreSqlSessions, Sessions, Total
from webdyno.runtime.services.sqlite_sessions import SqliteSessions
from webdyno.verifier import Breakdown, Change, Preparation, Probe, Restart, Sample, Verifier
from webdyno.verifier.cookies import changed, spliced, with_other_id
from webdyno.verifier.settled_state import REST_WITHIN_S, at_rest
from webdyno.verifier.sibling_module import beside

moving = beside(__file__, "moves")
visiting = beside(__file__, "visitors")
Rows, Visitor = visiting.Rows, visiting.Visitor
wrong, count_in = visiting.wrong, visiting.count_in

GARBAGE = ("", "x", "null", "{}", "%", "%zz%00", "a.b.c", '"', "s:..", "e30=", "A" * 3000, "é")
SECRET = "WEBDYNO_SECRET"
COMMIT = "write the session's row and commit it before the answer is sent, at each visit by itself"
FROM_THE_ROW = "read the session's row at each visit; keep no count in memory or in the cookie"
SIGNED = "check the whole signature, by WEBDYNO_SECRET, before the session is looked for"
LOST = ("reset", "timed_out", "malformed")
# Answers for each visitor, of a load whose visitors come again all the while.
OFTEN = 10


class Scenario(Verifier):
    bounds: ClassVar = {"forgeries": (1, None), "pool": (1, 200)}
    stores: Sequence[Sessions]
    store: Sessions
    rows: visiting.Rows
    before: Total | None = None
    moves: moving.Moves

    def prepare(self) -> Preparation:
        file = self.written / "sessions.sqlite"
        postgresql = PostgreSqlSessions(self.services_as_owner, self.services)
        self.opened.callback(postgresql.close)
        self.stores = (postgresql, SqliteSessions(file))
        self.store = self.stores[0]
        return Preparation(
            env={
                # Not drawn from `self.random`: a key must not be one that was used before.
                SECRET: token_hex(64),
                "WEBDYNO_SQLITE": str(file),
                "WEBDYNO_POOL": str(self.whole("pool")),
            }
        )

    def verify(self, probe: Probe) -> None:
        if self.phase == "after":
            self._rest(probe)
        with closing(Visitor(probe)) as ann, closing(Visitor(probe)) as ben:
            self._first(ann)
            old = dict(ann.jar)
            self._apart(ann, ben)
            self._behind_its_back(ann)
            self._old_cookie(probe, old, ann)
            name = self._session_cookie(probe, ann)
            self._forged(probe, name, ann, ben)
            if self.phase == "before":
                self._garbage(probe, name)
                self._row_gone(ann)
                self.expect_not_found(probe, f"/{self.token()}")

    def verify_restarted(self, probe: Probe, restart: Restart) -> None:
        with closing(Visitor(probe)) as ann:
            with restart({}) as same, closing(Visitor(same)) as ben:
                self.expect_each(
                    "a cookie is valid for every start with the same WEBDYNO_SECRET: the second"
                    " continues a session of the first, and the first one of the second",
                    chain(
                        self._begun(ann, ben),
                        starmap(self.rows.goes_on, ((same, ann), (probe, ben))),
                    ),
                    remedy="sign with a key that comes from WEBDYNO_SECRET alone, and keep nothing"
                    " of a session in the process",
                )
            with restart({SECRET: token_hex(64)}) as other, closing(Visitor(other)) as cat:
                forgeries = ((other, ann.jar, ann, cat), (probe, cat.jar, ann, cat))
                self.expect_each(
                    "a cookie is not valid for a start with another WEBDYNO_SECRET: each of the two"
                    " begins a new session for a cookie of the other",
                    chain(self._begun(cat), starmap(self.rows.begins_anew, forgeries)),
                    remedy=SIGNED,
                )

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self.expect_each(
            f"{len(samples)} answers of the load are counts, as text",
            (wrong(s.status, s.header("content-type"), s.body) for s in samples),
        )
        looks = sum(look.written is not None for look in self.moves.looks)
        if looks:
            self.expect_each(
                "what was answered to visitors who came again was in the table by then, wherever it"
                f" was looked into during the load: {looks} times",
                self.moves.unwritten(
                    (s.sent_s, s.answered_by_s) for s in samples if not s.body.endswith(b" is 1")
                ),
                remedy=COMMIT,
            )

    def before_load(self, probe: Probe) -> None:
        self.before = self._rest(probe)
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
            "the statements of each visit are sent by themselves, by what the database was seen to"
            " run",
            not text,
            text,
            remedy="send each statement by itself, and those of each visit apart from others'",
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
        with or_breakdown("the reads of usersessions cannot be counted"):
            found = self.store.reads(2 * again, thorough=self.thorough)
        if found is not None:
            self.expect(
                "each visit with a cookie read its row before it wrote it, by PostgreSQL's"
                " counters",
                found.seen >= found.least,
                f"{found.seen} look-ups, {again} visits with a cookie",
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
            f" with the old count, {stayed} were never met with",
            remedy=FROM_THE_ROW,
        )
        self.expect(
            "visits that continued from them in the table were answered accordingly",
            self.followed >= kept - unanswered,
            f"{self.followed} answers continued from a count that was set, {kept} rows did",
        )

    def _rest(self, probe: Probe) -> Total:
        """The table once it has stopped changing; leaves one visit more in it."""
        with closing(Visitor(probe)) as last_in_the_queue:
            last_in_the_queue.get(timeout=REST_WITHIN_S)
        seen = at_rest(self._total, "usersessions")
        self.store.changes()
        return seen

    def _total(self) -> Total:
        with or_breakdown("the counts in usersessions cannot be summed"):
            return self.store.total()

    def _first(self, ann: Visitor) -> None:
        for store in self.stores:
            store.changes()
        answer = ann.get()
        self.expect_http(answer)
        claim = "a visit without a cookie is answered 'Count is 1', as text"
        self.expect_each(claim, [visiting.problem_of(answer, 1)])
        self.expect("the first visit gets a cookie", bool(ann.jar), ", ".join(ann.jar) or "none")
        found = [(store, rows) for store in self.stores if (rows := store.changes())]
        rows = found[0][1] if found else {}
        self.expect(
            "the first visit inserts one row into usersessions, with the count 1",
            len(rows) == 1 and [count_in(data) for data in rows.values()] == [1],
            f"in {found[0][0].name}: {list(rows.values())[:2]}"
            if found
            else "nothing was inserted",
            remedy="" if rows else COMMIT,
        )
        self.store = found[0][0]
        self.rows = Rows(self.store)
        [ann.uid], ann.count = rows, 1

    def _apart(self, ann: Visitor, ben: Visitor) -> None:
        turns = [(ben, 1), (ann, 2), (ann, 3), (ben, 2), (ann, 4), (ben, 3), (ann, 5), (ann, 6)]
        self.expect_each(
            "two visitors are counted apart, visit by visit, each in a row of their own",
            (
                self.rows.visit(who, count, *((ann, ben) if count == 1 else ()))
                for who, count in turns
            ),
        )

    def _behind_its_back(self, ann: Visitor) -> None:
        high, low = self.random.randint(10**5, 10**6), self.random.randint(100, 1000)
        # On all connections, since each worker process may keep a count of its own.
        again = 6 if self.phase == "before" else 2
        values = [high, low, *(self.random.randint(7, 99) for _ in range(again))]
        self.expect_each(
            "the count follows the row when it is changed in the database",
            (self.rows.after_change(ann, value) for value in values),
            remedy=FROM_THE_ROW,
        )

    def _old_cookie(self, probe: Probe, old: Mapping[str, str], ann: Visitor) -> None:
        with closing(Visitor(probe, old)) as again:
            again.uid = ann.uid
            self.expect_each(
                "the session's first cookie, sent again, gets the current count",
                (self.rows.visit(again, ann.count + step) for step in (1, 2)),
            )
            ann.count = again.count

    def _session_cookie(self, probe: Probe, ann: Visitor) -> str:
        """The name of the cookie that the session is found by, where the server sets several."""
        for name, value in list(ann.jar.items()) if len(ann.jar) > 1 else ():
            with closing(Visitor(probe, {name: value})) as alone:
                alone.get()
                if ann.uid in self.store.changes():
                    ann.count += 1
                    return name
        return next(iter(ann.jar))

    def _forged(self, probe: Probe, name: str, ann: Visitor, ben: Visitor) -> None:
        number = self.whole("forgeries") if self.phase == "before" else 2
        good, other = ann.jar[name], ben.jar[name]
        made = [
            *changed(good, other, number, self.random),
            *spliced(good, other, number, self.random),
        ]
        self.expect_each(
            f"{len(made)} cookies that the server did not sign each begin a new session",
            (self.rows.begins_anew(probe, {name: cookie}, ann, ben) for cookie in made),
            remedy=SIGNED,
        )
        with closing(Visitor(probe)) as cat:
            # A session that was never begun: whoever finds it has not looked at the signature.
            cat.uid = changed_id(ann.uid)
            if (cookie := with_other_id(good, ann.uid, cat.uid)) is None:
                return
            self.rows.set(cat, self.random.randint(100, 1000))
            self.expect_each(
                "a cookie for a session that the server did not begin starts a new one",
                [self.rows.begins_anew(probe, {name: cookie}, ann, ben, cat)],
                remedy=SIGNED,
            )

    def _garbage(self, probe: Probe, name: str) -> None:
        jars: Iterator[dict[str, str]] = ({name: value} for value in GARBAGE)
        self.expect_each(
            f"{len(GARBAGE)} meaningless cookies each begin a new session",
            (self.rows.begins_anew(probe, jar) for jar in jars),
            remedy="begin a new session where the cookie cannot be read, instead of an error",
        )

    def _begun(self, *visitors: Visitor) -> Iterator[str | None]:
        """Begin a session for each, with a count that no other has."""
        self.store.changes()  # A server that starts is asked for a first answer.
        for visitor in visitors:
            yield self.rows.visit(visitor, 1)
            self.rows.set(visitor, self.random.randint(10**5, 10**6))

    def _row_gone(self, ann: Visitor) -> None:
        self.store.remove(ann.uid)
        self.expect_each(
            "a session whose row is gone starts over",
            (self.rows.visit(ann, count) for count in (1, 2)),
            remedy="begin a new session where the cookie is right and its row is gone",
        )


def changed_id(uid: str) -> str:
    """Another id of the same form."""
    return ("1" if uid[0] != "1" else "2") + uid[1:]
