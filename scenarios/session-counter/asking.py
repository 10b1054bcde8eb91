"""What visits must do by themselves: to the answers, the cookies and the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, starmap
from secrets import token_hex
from typing import ClassVar

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.sessions import PostgreSqlSessions, Sessions, Total
from webdyno.runtime.services.sqlite_sessions import SqliteSessions
from webdyno.verifier import Preparation, Probe, Restart, Verifier, beside
from webdyno.verifier.cookies import changed, spliced, with_other_id
from webdyno.verifier.settled_state import REST_WITHIN_S, at_rest

beside_load = beside(__file__, "beside_load")
visitors = beside(__file__, "visitors")
Rows, Visitor, count_in = visitors.Rows, visitors.Visitor, visitors.count_in

GARBAGE = ("", "x", "null", "{}", "%", "%zz%00", "a.b.c", '"', "s:..", "e30=", "A" * 3000, "é")
SECRET = "WEBDYNO_SECRET"
COMMIT = "write the session's row and commit it before the answer is sent, at each visit by itself"
FROM_THE_ROW = "read the session's row at each visit; keep no count in memory or in the cookie"
SIGNED = "check the whole signature with WEBDYNO_SECRET before looking the session up"


class CountedVisits(Verifier):
    """Visits a few times, without a load, and looks at the table after each visit."""

    bounds: ClassVar = {"forgeries": (1, None), "pool": (1, 200)}
    asked_again = 40
    stores: Sequence[Sessions]
    store: Sessions
    """Of `stores` the one in which the server was seen to keep its sessions."""
    rows: visitors.Rows
    known: visitors.Visitor
    """One whose row is known, for the proof beside the load."""
    cookie: str
    """The name of the one by which sessions are found."""

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
            self.cookie = self._session_cookie(probe, ann)
            self._forged(probe, self.cookie, ann, ben)
            self.known = ann
            if self.phase == "before":
                self._garbage(probe, self.cookie)
                self._row_gone(ann)
                self.expect_not_found(probe, f"/{self.token()}")

    def verify_beside_load(self, probe: Probe) -> None:
        """By answers, and the one row that the load does not visit."""
        visits = beside_load.Visits(probe, self.random)
        self.expect_each("two visitors are counted separately", visits.counted_apart())
        self.expect_each(
            "forged and meaningless cookies each begin a new session",
            visits.begun_anew(self.cookie, GARBAGE),
            remedy=SIGNED,
        )
        self.expect_each("the two sessions continue after them", visits.gone_on())
        self.expect_each(
            "a visit continues from what its row was set to, and is in the row once it is answered",
            visits.followed(self.known, self.store),
            remedy=f"{FROM_THE_ROW}; commit before the answer is sent",
        )
        self.expect_not_found(probe, f"/{self.token()}")

    def verify_restarted(self, probe: Probe, restart: Restart) -> None:
        with closing(Visitor(probe)) as ann:
            with restart({}) as same, closing(Visitor(same)) as ben:
                self.expect_each(
                    "a cookie is valid for every start with the same WEBDYNO_SECRET: the second"
                    " server continues a session of the first, and vice versa",
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
        self.expect_each(claim, [visitors.problem_of(answer, 1)])
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
            "two visitors are counted separately, visit by visit, each in a row of their own",
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
            remedy="begin a new session if the cookie cannot be read, instead of an error",
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
            remedy="begin a new session if the cookie is valid but its row is gone",
        )


def changed_id(uid: str) -> str:
    """Another id of the same form."""
    return ("1" if uid[0] != "1" else "2") + uid[1:]
