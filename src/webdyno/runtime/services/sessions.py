"""The table of sessions that a scenario's servers keep, as its verifier sees and changes it.

`usersessions(uid TEXT PRIMARY KEY, data TEXT)`: `data` is a JSON object with the key `count`. In
PostgreSQL, or in SQLite for servers that are started to use that instead.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Protocol

from webdyno.runtime.confinement.sandbox import within
from webdyno.runtime.services import wal
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.sqlite_commits import SqliteCommits

TABLE = "CREATE TABLE usersessions (uid TEXT PRIMARY KEY, data TEXT)"


class Total(NamedTuple):
    """Rows, and the sum of their counts."""

    sessions: int
    visits: int


class Writes(NamedTuple):
    """What was written to the database, by all that is connected to it."""

    commits: int
    """Commits of transactions that wrote; subtransactions are none."""
    rows: int | None
    """Rows that were inserted or updated; None where nobody tells."""


class Moved(NamedTuple):
    """A row whose count was changed from `was` to `now`, in one transaction."""

    uid: str
    was: int
    now: int


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

    def move(self, counts: Sequence[int]) -> list[Moved]:
        """Give `counts`, which ascend, to so many rows at most that servers updated since the last
        look: `AT_ONCE` in a transaction, and after a moment the next.

        Beside servers that go on, and without waiting for their locks.
        """
        ...

    def counts(self, uids: Sequence[str]) -> dict[str, int]:
        """The counts of these rows, of those that there are."""
        ...

    def begin(self) -> None:
        """Count what is written from now on."""
        ...

    def writes(self) -> Writes:
        """What was written since `begin`, whose count ends with it."""
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

    def __init__(self, env: Mapping[str, str]) -> None:
        self._psql = Psql(env)
        self._psql.rows(TABLE)
        self._seen = "0"
        self._began = ""

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

    def move(self, counts: Sequence[int]) -> list[Moved]:
        parts = {f"counts{number}": part for number, part in enumerate(batched(counts))}
        # One client for all: it takes longer to start than what it does.
        sql = f"SELECT pg_sleep({BETWEEN_S});".join(
            _MOVE.replace(":'counts'", f":'{name}'") for name in parts
        )
        arrays = {name: "{" + ",".join(map(str, part)) + "}" for name, part in parts.items()}
        rows = self._look(sql, seen=self._seen, many=AT_ONCE, lowest=counts[0], **arrays)
        return [Moved(row[0], int(row[1]), int(row[2])) for row in rows if len(row) == 3]

    def counts(self, uids: Sequence[str]) -> dict[str, int]:
        array = "{" + ",".join(f'"{uid}"' for uid in uids) + "}"
        rows = self._psql.rows(
            "SELECT uid, data::json->>'count' FROM usersessions"
            " WHERE uid = ANY (:'uids'::text[]) AND data::json->>'count' IS NOT NULL",
            uids=array,
        )
        return {uid: int(count) for uid, count in rows}

    def begin(self) -> None:
        self._began = wal.position(self._psql)

    def writes(self) -> Writes:
        found = wal.written_since(self._psql, self._began)
        kinds = ("INSERT", "UPDATE", "HOT_UPDATE")
        return Writes(found[wal.COMMIT], sum(found[f"Heap/{kind}"] for kind in kinds))

    def connections(self) -> int:
        [[held]] = self._psql.rows(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return int(held)

    def _look(self, sql: str, **values: object) -> list[list[str]]:
        *rows, [self._seen] = self._psql.rows(f"{sql} SELECT pg_current_xact_id();", **values)
        return rows


# The rows that were written last: their visitors are the least likely to be between reading a row
# and writing it. A row that somebody holds is passed over.
_MOVE = """
    WITH recent AS MATERIALIZED (
        SELECT uid, xmin::text::bigint AS age FROM usersessions WHERE xmin::text::bigint > :seen
        ORDER BY age DESC LIMIT 4 * :many
    ), chosen AS MATERIALIZED (
        SELECT s.uid, (s.data::json->>'count')::bigint AS was FROM usersessions s, recent
        WHERE s.uid = recent.uid AND (s.data::json->>'count')::bigint BETWEEN 2 AND :lowest - 1
        ORDER BY recent.age DESC LIMIT :many
        FOR NO KEY UPDATE OF s SKIP LOCKED
    ), given AS MATERIALIZED (
        SELECT uid, was, (:'counts'::bigint[])[row_number() OVER ()] AS now FROM chosen
    )
    UPDATE usersessions s
    SET data = jsonb_set(s.data::jsonb, '{count}', to_jsonb(given.now))::text
    FROM given WHERE s.uid = given.uid RETURNING s.uid, given.was, given.now;
"""

AT_ONCE, BETWEEN_S = 8, 0.02
"""Rows that are changed in one transaction under load, and the seconds to the next."""

LARGEST_TABLE = 20_000
"""Rows up to which one of SQLite is looked through while servers use it."""


class SqliteSessions:
    """The table in a file of SQLite's; made anew.

    Servers may write to its folder, and SQLite opens, writes to and removes what links and journals
    there name: so it does all of that where it reaches nothing else.
    """

    name = "SQLite, a file of the server's own"

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen: dict[str, str] = {}
        self._moves: Counter[str] = Counter()
        self._commits: SqliteCommits | None = None
        # Kept by the file: readers and the one writer do not wait for each other.
        self._run("PRAGMA journal_mode = WAL")
        self._run(TABLE)

    def changes(self) -> dict[str, str]:
        before, self._seen = self._seen, dict(self._run("SELECT uid, data FROM usersessions"))
        return {uid: data for uid, data in self._seen.items() if before.get(uid) != data}

    def set_count(self, uid: str, count: int) -> None:
        self._run(
            """
            INSERT INTO usersessions VALUES (?, json_object('count', ?))
            ON CONFLICT (uid) DO UPDATE SET data = json_set(data, '$.count', ?)
            """,
            uid,
            count,
            count,
        )
        self.changes()

    def remove(self, uid: str) -> None:
        self._run("DELETE FROM usersessions WHERE uid = ?", uid)
        self.changes()

    def total(self) -> Total:
        [[sessions, visits]] = self._run(
            "SELECT count(*), coalesce(sum(json_extract(data, '$.count')), 0) FROM usersessions"
        )
        return Total(int(sessions), int(visits))

    def move(self, counts: Sequence[int]) -> list[Moved]:
        moved = self._move(next(batched(counts)))
        for part in list(batched(counts))[1:]:
            time.sleep(BETWEEN_S)
            moved += self._move(part)
        return moved

    def _move(self, counts: Sequence[int]) -> list[Moved]:
        size = self._run("SELECT count(*) FROM usersessions")[0][0]
        if int(size) > LARGEST_TABLE:
            return []
        known = self._seen
        updated = [uid for uid in self.changes() if uid in known]
        updated.sort(key=self._moves.__getitem__)
        moved = within(self._file.parent, lambda: self._set(updated, counts))
        self._moves.update(one.uid for one in moved)
        return moved

    def _set(self, uids: Sequence[str], counts: Sequence[int]) -> list[Moved]:
        moved = []
        with self._opened() as database:
            # Nobody else writes from here to the commit, which does not wait for the disk.
            database.execute("PRAGMA synchronous = OFF")
            database.execute("BEGIN IMMEDIATE")
            for uid, now in zip(uids, counts, strict=False):
                where = "FROM usersessions WHERE uid = ?"
                [[was]] = database.execute(f"SELECT json_extract(data, '$.count') {where}", [uid])
                update = "UPDATE usersessions SET data = json_set(data, '$.count', ?) WHERE uid = ?"
                database.execute(update, [now, uid])
                # What it holds now is no change of a server's.
                [[self._seen[uid]]] = database.execute(f"SELECT data {where}", [uid])
                moved.append(Moved(uid, int(was), now))
            database.execute("COMMIT")
        return moved

    def counts(self, uids: Sequence[str]) -> dict[str, int]:
        rows = self._run("SELECT uid, json_extract(data, '$.count') FROM usersessions")
        return {uid: int(count) for uid, count in rows if uid in set(uids) and count is not None}

    def begin(self) -> None:
        self._end()
        self._commits = within(self._file.parent, lambda: SqliteCommits(self._file))

    def writes(self) -> Writes:
        assert self._commits is not None
        try:
            return Writes(self._commits.count(), None)
        finally:
            self._end()

    def _end(self) -> None:
        if self._commits is not None:
            within(self._file.parent, self._commits.close)
            self._commits = None

    def connections(self) -> int:
        return 0

    def _run(self, sql: str, *values: str | int) -> list[tuple[str, str]]:
        def run() -> list[tuple[str, str]]:
            with self._opened() as database:
                return database.execute(sql, values).fetchall()

        return within(self._file.parent, run)

    def _opened(self) -> closing[sqlite3.Connection]:
        # Each statement is a transaction of its own, unless one is begun.
        return closing(sqlite3.connect(self._file, timeout=10, isolation_level=None))
