"""The table of sessions in SQLite, for servers that are started to use that instead."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from webdyno.runtime.confinement.sandbox import within
from webdyno.runtime.services.sessions import (
    BETWEEN_S,
    TABLE,
    Look,
    Moved,
    Total,
    Writes,
    batched,
)
from webdyno.runtime.services.sqlite_commits import SqliteCommits

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

    def move(self, counts: Sequence[int]) -> Look:
        first, *later = batched(counts)
        found = self._move(first)
        for part in later:
            time.sleep(BETWEEN_S)
            found.moved.extend(self._move(part).moved)
        return found

    def _move(self, counts: Sequence[int]) -> Look:
        size = self._run("SELECT count(*) FROM usersessions")[0][0]
        if int(size) > LARGEST_TABLE:
            return Look([], None)
        known, changed = self._seen, self.changes()
        again = self._run("SELECT uid FROM usersessions WHERE json_extract(data, '$.count') >= 2")
        written = sum(row[0] in changed for row in again)
        updated = [uid for uid in changed if uid in known]
        updated.sort(key=self._moves.__getitem__)
        moved = within(self._file.parent, lambda: self._set(updated, counts))
        self._moves.update(one.uid for one in moved)
        return Look(moved, written)

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
        remaining = set(uids)
        rows = self._run("SELECT uid, json_extract(data, '$.count') FROM usersessions")
        return {uid: int(count) for uid, count in rows if uid in remaining and count is not None}

    def begin(self) -> None:
        self._end()
        self._commits = within(self._file.parent, lambda: SqliteCommits(self._file))

    def before_warm_up(self) -> None:
        pass

    def reads(self, expected: int, warm_up: int = 0, *, thorough: bool) -> None:
        return None

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

    def sent_together(self) -> str:
        return ""

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
