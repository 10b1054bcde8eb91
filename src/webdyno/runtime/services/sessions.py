"""The table of sessions that a scenario's servers keep, as its verifier sees and changes it.

`usersessions(uid TEXT PRIMARY KEY, data TEXT)`: `data` is a JSON object with the key `count`. In
PostgreSQL, or in SQLite for servers that are started to use that instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from webdyno.runtime.services import wal
from webdyno.runtime.services.counted_at_rest import counted_at_rest
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.statements import Statements
from webdyno.runtime.services.table_work import TableWork, enough, least_told, untold

TABLE = "CREATE TABLE usersessions (uid TEXT PRIMARY KEY, data TEXT)"

OF_A_VISIT = 2
"""Statements on the table: one reads the row, one writes it."""


class Total(NamedTuple):
    """Rows, and the sum of their counts."""

    sessions: int
    visits: int


class Writes(NamedTuple):
    """What was written to the database, by all that is connected to it."""

    commits: int
    """Commits of transactions that wrote, in PostgreSQL those that wrote to the table;
    subtransactions are none."""
    rows: int | None
    """Rows of the table that were inserted or updated by them; None where nobody tells."""


class RowReads(NamedTuple):
    """Look-ups and scans of the table, also those by which a row is found that is written."""

    seen: int
    least: float
    """Of those that were expected, how many have to be seen by now."""
    late: float
    """Of those, how many were made in the warm-up and not told by its end, at the least."""


class Moved(NamedTuple):
    """A row whose count was changed from `was` to `now`, in one transaction."""

    uid: str
    was: int
    now: int


class Look(NamedTuple):
    """What was found of the rows that servers write, and what was made of them."""

    moved: list[Moved]
    written: int | None
    """Rows that held a second visit or a later one and had been written since the look before, in
    PostgreSQL 32 of them at the most; None where nobody looked."""


class Sessions(Protocol):
    """Where the sessions are. Its own changes are not among `changes`."""

    name: str

    def changes(self) -> dict[str, str]:
        """The rows that servers inserted or changed since the last look: data by uid."""
        ...

    def set_count(self, uid: str, count: int) -> None:
        """Change a row's count and nothing else in it; insert it where there is none."""
        ...

    def remove(self, uid: str) -> None:
        """Remove a row."""
        ...

    def total(self) -> Total:
        """Rows and visits as they are now."""
        ...

    def move(self, counts: Sequence[int]) -> Look:
        """Give `counts`, which ascend, to so many rows at most that servers updated since the last
        look: `AT_ONCE` in a transaction, and after a moment the next.

        Beside servers that go on, and without waiting for their locks: only where all these rows
        are locked, for one of them.
        """
        ...

    def counts(self, uids: Sequence[str]) -> dict[str, int]:
        """The counts of these rows, of those that there are."""
        ...

    def before_warm_up(self) -> None:
        """Count what is read in the warm-up from now on."""
        ...

    def begin(self) -> None:
        """Count what is written and read from now on."""
        ...

    def reads(self, expected: int, warm_up: int = 0, *, thorough: bool) -> RowReads | None:
        """What was told of reads since `begin`, our own included, once it is as much as is
        `expected` or all has been told; with what was then still to be told of the `warm_up`'s
        reads. None where nobody tells. Raises `Breakdown` where it cannot be."""
        ...

    def writes(self) -> Writes:
        """What was written since `begin`, whose count ends with it."""
        ...

    def sent_together(self) -> str:
        """A text that servers sent since `begin`, of those seen at each `move`, with more
        statements on the table than a visit needs; "" where there is none, or nobody tells."""
        ...

    def connections(self) -> int:
        """Connections that servers hold to the database server now; 0 where there is none."""
        ...


def batched(counts: Sequence[int]) -> Iterator[Sequence[int]]:
    """Those that are set at once, and so on."""
    return (counts[at : at + AT_ONCE] for at in range(0, len(counts), AT_ONCE))


class PostgreSqlSessions:
    """The table in a trial's PostgreSQL; made anew."""

    name = "PostgreSQL"

    def __init__(self, env: Mapping[str, str], servers: Mapping[str, str]) -> None:
        """By the variables of the owner, and those that servers get."""
        self._servers = servers
        self._statements = Statements(servers, "usersessions")
        self._psql = Psql(env)
        self._psql.rows(TABLE)
        self._seen = "0"
        self._began = ""
        self._warm: TableWork | None = None
        self._before: TableWork

    def close(self) -> None:
        """Leave the database."""
        self._psql.close()

    def changes(self) -> dict[str, str]:
        # A row carries the number of the transaction that wrote it last.
        newer = "SELECT uid, data FROM usersessions WHERE xmin::text::bigint > :seen;"
        return dict(self._look(newer, seen=self._seen))

    def set_count(self, uid: str, count: int) -> None:
        self._look(
            """
            INSERT INTO usersessions VALUES (:'uid', json_build_object('count', :count)::text)
            ON CONFLICT (uid) DO UPDATE
            SET data = jsonb_set(usersessions.data::jsonb, '{count}', to_jsonb(:count))::text;
            """,
            uid=uid,
            count=count,
        )

    def remove(self, uid: str) -> None:
        self._look("DELETE FROM usersessions WHERE uid = :'uid';", uid=uid)

    def total(self) -> Total:
        [[sessions, visits]] = self._psql.rows(
            "SELECT count(*), coalesce(sum((data::json->>'count')::bigint), 0) FROM usersessions"
        )
        return Total(int(sessions), int(visits))

    def move(self, counts: Sequence[int]) -> Look:
        self._statements.look(self._psql)
        parts = {f"counts{number}": part for number, part in enumerate(batched(counts))}
        arrays = {name: "{" + ",".join(map(str, part)) + "}" for name, part in parts.items()}
        seen, lowest = self._seen, counts[0]
        # As one text: what is told of them is read together.
        sql = f"SELECT pg_sleep({BETWEEN_S});".join(
            _MOVE.format(counts=name, locked="SKIP LOCKED") for name in parts
        )
        look = _look_of(self._look(sql, seen=seen, many=AT_ONCE, lowest=lowest, **arrays))
        if look.written and not look.moved:
            sql = _MOVE.format(counts="counts0", locked="")
            waited = _look_of(self._look(sql, seen=seen, many=1, lowest=lowest, **arrays))
            look = look._replace(moved=waited.moved)
        return look

    def counts(self, uids: Sequence[str]) -> dict[str, int]:
        array = "{" + ",".join(f'"{uid}"' for uid in uids) + "}"
        rows = self._psql.rows(
            "SELECT uid, data::json->>'count' FROM usersessions"
            " WHERE uid = ANY (:'uids'::text[]) AND data::json->>'count' IS NOT NULL",
            uids=array,
        )
        return {uid: int(count) for uid, count in rows}

    def before_warm_up(self) -> None:
        self._warm = self._work()

    def begin(self) -> None:
        self._statements.begin(self._psql)
        self._began = wal.position(self._psql)
        self._before = counted_at_rest(self._psql, self._servers, self._work)

    def reads(self, expected: int, warm_up: int = 0, *, thorough: bool) -> RowReads:
        before, late = self._before, 0.0
        if self._warm is not None:
            late = untold(self._psql, warm_up, before.since(self._warm).read)
        least = least_told(self._psql, thorough=thorough) * (late + expected)
        work = enough(self._psql, self._work, lambda work: work.since(before).read >= least)
        return RowReads(work.since(before).read, least, late)

    def _work(self) -> TableWork:
        return TableWork.of(self._psql, "usersessions")

    def writes(self) -> Writes:
        rows = wal.committed_since(self._psql, self._began, "usersessions")
        return Writes(commits=sum(map(bool, rows)), rows=sum(rows))

    def sent_together(self) -> str:
        return self._statements.sent_together(OF_A_VISIT)

    def connections(self) -> int:
        [[held]] = self._psql.rows(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return int(held)

    def _look(self, sql: str, **values: object) -> list[list[str]]:
        *rows, [self._seen] = self._psql.rows(f"{sql} SELECT pg_current_xact_id();", **values)
        return rows


def _look_of(rows: Sequence[Sequence[str]]) -> Look:
    """What `_MOVE` tells, once or several times."""
    complete = [row for row in rows if len(row) == 3]
    moved = [Moved(uid, int(was), int(now)) for uid, was, now in complete if now]
    return Look(moved, max((int(written) for _, written, now in complete if not now), default=0))


# The rows that were written last: their visitors are the least likely to be between reading a row
# and writing it. A row that somebody holds is passed over, if need be. The last line of what it
# tells has no third value.
_MOVE = """
    WITH recent AS MATERIALIZED (
        SELECT uid, xmin::text::bigint AS age FROM usersessions
        WHERE xmin::text::bigint > :seen AND (data::json->>'count')::bigint >= 2
        ORDER BY age DESC LIMIT 4 * :many
    ), chosen AS MATERIALIZED (
        SELECT s.uid, (s.data::json->>'count')::bigint AS was FROM usersessions s, recent
        WHERE s.uid = recent.uid AND (s.data::json->>'count')::bigint BETWEEN 2 AND :lowest - 1
        ORDER BY recent.age DESC LIMIT :many
        FOR NO KEY UPDATE OF s {locked}
    ), given AS MATERIALIZED (
        SELECT uid, was, (:'{counts}'::bigint[])[row_number() OVER ()] AS now FROM chosen
    ), moved AS (
        UPDATE usersessions s
        SET data = jsonb_set(s.data::jsonb, '{{count}}', to_jsonb(given.now))::text
        FROM given WHERE s.uid = given.uid RETURNING s.uid, given.was, given.now
    )
    SELECT uid, was, now FROM moved UNION ALL SELECT '', count(*), NULL FROM recent;
"""

AT_ONCE, BETWEEN_S = 8, 0.02
"""Rows that are changed in one transaction under load, and the seconds to the next."""
