"""The table of sessions that a scenario's servers keep, as its verifier sees and changes it.

`usersessions(uid TEXT PRIMARY KEY, data TEXT)`: `data` is a JSON object with the key `count`. In
PostgreSQL, or in SQLite for servers that are started to use that instead.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Protocol

from webdyno.runtime.services.psql import Psql

TABLE = "CREATE TABLE usersessions (uid TEXT PRIMARY KEY, data TEXT)"


class Total(NamedTuple):
    """Rows, and the sum of their counts."""

    sessions: int
    visits: int


class Writes(NamedTuple):
    """What was written to the database so far, by all that is connected to it."""

    transactions: int
    """Transactions that wrote, subtransactions included: told at once."""
    commits: int
    """Commits; a backend tells of its own up to a second late, and once idle after ten."""
    rows: int
    """Rows of the table that were inserted or updated; told as late."""


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

    def writes(self) -> Writes | None:
        """What was written so far; None where there is nobody to ask."""
        ...

    def connections(self) -> int:
        """Connections that servers hold to the database server now; 0 where there is none."""
        ...


class PostgreSqlSessions:
    """The table in a trial's PostgreSQL; made anew."""

    name = "PostgreSQL"

    def __init__(self, env: Mapping[str, str]) -> None:
        self._psql = Psql(env)
        self._psql.rows(TABLE)
        self._seen = "0"

    def changes(self) -> dict[str, str]:
        # A row carries the number of the transaction that wrote it last.
        newer = "SELECT uid, data FROM usersessions WHERE xmin::text::bigint > :seen;"
        found = self._look(newer, seen=self._seen)
        return dict(found)

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

    def writes(self) -> Writes:
        [[next_one, commits, rows]] = self._psql.rows(
            # The number that the next transaction will get: to look at it uses none up.
            "SELECT pg_snapshot_xmax(pg_current_snapshot()), d.xact_commit,"
            " t.n_tup_ins + t.n_tup_upd FROM pg_stat_database d, pg_stat_user_tables t"
            " WHERE d.datname = current_database() AND t.relname = 'usersessions'"
        )
        return Writes(int(next_one), int(commits), int(rows))

    def connections(self) -> int:
        [[held]] = self._psql.rows(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return int(held)

    def _look(self, sql: str, **values: object) -> list[list[str]]:
        *rows, [self._seen] = self._psql.rows(f"{sql} SELECT pg_current_xact_id();", **values)
        return rows


class SqliteSessions:
    """The table in a file of SQLite's; made anew."""

    name = "SQLite, a file of the server's own"

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen: dict[str, str] = {}
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

    def writes(self) -> None:
        return None

    def connections(self) -> int:
        return 0

    def _run(self, sql: str, *values: str | int) -> list[tuple[str, str]]:
        with closing(sqlite3.connect(self._file, timeout=10)) as database, database:
            return database.execute(sql, values).fetchall()
