"""The table of sessions in both kinds of store, and what PostgreSQL wrote by its log."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.services import wait_until
from webdyno.runtime.services import ServiceError, wal
from webdyno.runtime.services.psql import Psql, find_psql
from webdyno.runtime.services.sessions import Look, PostgreSqlSessions, Sessions, Total
from webdyno.runtime.services.sqlite_sessions import SqliteSessions

pytestmark = pytest.mark.slow

Env = dict[str, str]


Write = Callable[[str, str], None]


@pytest.fixture(params=["postgresql", "sqlite"])
def kept(
    request: pytest.FixtureRequest, env: Env, owner: Env, tmp_path: Path
) -> tuple[Sessions, Write]:
    """An empty table, and a way in which a server writes to it."""
    if request.param == "sqlite":
        sqlite = SqliteSessions(tmp_path / "sessions.sqlite")
        other = SqliteSessions.__new__(SqliteSessions)
        other.__dict__.update(sqlite.__dict__)
        insert = "INSERT OR REPLACE INTO usersessions VALUES (?, ?)"
        return sqlite, lambda uid, data: other._run(insert, uid, data) and None
    psql = Psql(env)
    Psql(owner).rows("DROP TABLE IF EXISTS usersessions")
    sessions = PostgreSqlSessions(owner, env)

    def write(uid: str, data: str) -> None:
        psql.rows(
            "INSERT INTO usersessions VALUES (:'uid', :'data')"
            " ON CONFLICT (uid) DO UPDATE SET data = excluded.data",
            uid=uid,
            data=data,
        )

    return sessions, write


def test_changes_are_those_of_others_since_the_last_look(kept: tuple[Sessions, Write]) -> None:
    sessions, write = kept
    assert sessions.changes() == {}
    write("a", '{"count": 1}')
    write("b", '{"count": 1}')
    assert sessions.changes() == {"a": '{"count": 1}', "b": '{"count": 1}'}
    assert sessions.changes() == {}
    write("b", '{"count": 2}')
    assert sessions.changes() == {"b": '{"count": 2}'}


def test_own_changes_are_not_told(kept: tuple[Sessions, Write]) -> None:
    sessions, write = kept
    write("a", '{"count": 1, "_token": "x"}')
    sessions.set_count("a", 41)
    assert sessions.changes() == {}
    sessions.remove("a")
    sessions.set_count("new", 7)
    assert sessions.changes() == {}
    assert sessions.total() == Total(sessions=1, visits=7)


def test_a_changed_count_leaves_the_rest_of_a_row(kept: tuple[Sessions, Write]) -> None:
    sessions, write = kept
    write("a", '{"count": 1, "_token": "x"}')
    write("b", '{"count": 4}')
    sessions.set_count("a", 41)
    assert sessions.total() == Total(sessions=2, visits=45)
    write("c", "{}")  # a session without a count is no visit
    assert sessions.total() == Total(sessions=3, visits=45)


def test_counts_of_sessions_in_use_are_set_beside_their_servers(
    kept: tuple[Sessions, Write],
) -> None:
    sessions, write = kept
    for uid in ("idle", "first", "used", "held"):
        write(uid, '{"count": 2}')
    sessions.changes()
    write("used", '{"count": 3, "_token": "x"}')
    write("first", '{"count": 1}')  # Its visitor may be gone, as each request's may be.
    moved, written = sessions.move([1_000_000, 2_000_000, 3_000_000])
    assert written
    assert ("used", 3) in [(one.uid, one.was) for one in moved]
    assert {one.uid for one in moved} <= {"used", "first"}
    counts = sessions.counts(["used", "idle", "gone"])
    assert counts == {"used": next(m.now for m in moved if m.uid == "used"), "idle": 2}
    # Nobody has come since.
    assert sessions.move([4_000_000]) == Look(moved=[], written=0)


def test_each_commit_is_counted_whatever_is_in_it(kept: tuple[Sessions, Write]) -> None:
    sessions, write = kept
    write("before", '{"count": 1}')
    sessions.begin()
    for number in range(20):
        write("a", f'{{"count": {number}}}')
    written = sessions.writes()
    assert written.commits == 20
    assert written.rows in (None, 20)


def test_commits_of_sqlite_are_counted_across_checkpoints_and_processes(tmp_path: Path) -> None:
    sessions = SqliteSessions(tmp_path / "sessions.sqlite")
    sessions.begin()
    program = (
        "import sqlite3, sys; d = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for n in range(30):\n"
        "    d.execute('BEGIN'); d.execute('SAVEPOINT a')\n"
        "    d.execute('INSERT INTO usersessions VALUES (?, ?)', (str(n), 'x' * 3000))\n"
        "    d.execute('RELEASE a'); d.execute('COMMIT')\n"
        "    d.execute('PRAGMA wal_checkpoint(TRUNCATE)') if n % 10 == 9 else None\n"
    )
    for _ in range(2):
        asked = [sys.executable, "-c", program, str(tmp_path / "sessions.sqlite")]
        subprocess.run(asked, check=True)
        program = program.replace("str(n)", "str(n + 100)")
    assert sessions.writes().commits == 60


def test_a_table_that_holds_no_json_cannot_be_summed(env: Env, owner: Env) -> None:
    psql = Psql(owner)
    psql.rows("DROP TABLE IF EXISTS usersessions")
    sessions = PostgreSqlSessions(owner, env)
    psql.rows("INSERT INTO usersessions VALUES ('a', 'one')")
    with pytest.raises(ServiceError, match="invalid input syntax for type json"):
        sessions.total()


def test_connections_of_others_are_counted(env: Env, owner: Env) -> None:
    Psql(owner).rows("DROP TABLE IF EXISTS usersessions")
    sessions = PostgreSqlSessions(owner, env)
    # A connection that was closed is gone once its process has ended.
    wait_until(lambda: sessions.connections() == 0)
    asked = [str(find_psql()), "-X", "-q", "-c", "SELECT pg_sleep(60)"]
    other = subprocess.Popen(asked, env={**os.environ, **env})
    try:
        wait_until(lambda: sessions.connections() == 1)
    finally:
        # It has PostgreSQL end the statement, too, which would go on after a kill.
        other.send_signal(signal.SIGINT)
        other.wait()


def test_rows_are_those_of_transactions_that_commit(
    env: Env, owner: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    psql, server = Psql(owner), Psql(env)
    psql.rows("CREATE TABLE counted (x int)")
    begin = wal.position(psql)
    put = "INSERT INTO counted VALUES (1);"
    server.rows(f"{put} BEGIN; {put} {put} COMMIT; BEGIN; {put} ROLLBACK;")
    server.rows(
        f"BEGIN; {put} SAVEPOINT a; {put} RELEASE a; SAVEPOINT b; {put} ROLLBACK TO b; COMMIT"
    )
    server.rows("UPDATE counted SET x = 2; BEGIN; SELECT pg_current_xact_id(); COMMIT")
    server.rows("CREATE TABLE own (x int); INSERT INTO own VALUES (1); DROP TABLE own")
    server.rows("SELECT count(*) FROM counted")
    ours = wal.committed_since(psql, begin, "counted")
    assert [rows for rows in ours if rows] == [1, 2, 2, 5]
    assert len(ours) >= 6
    monkeypatch.setattr(Psql, "is_elsewhere", True)
    theirs = wal.committed_since(psql, begin, "counted")
    assert [rows for rows in theirs if rows] == [1, 2, 2, 5]
    psql.rows("DROP TABLE counted")


def test_visits_in_one_commit_are_not_paid_for_by_empty_ones(env: Env, owner: Env) -> None:
    Psql(owner).rows("DROP TABLE IF EXISTS usersessions")
    sessions, server = PostgreSqlSessions(owner, env), Psql(env)
    sessions.begin()
    visits = ", ".join(f"""('{number}', '{{"count": 1}}')""" for number in range(20))
    server.rows(f"INSERT INTO usersessions VALUES {visits}")
    server.rows("BEGIN; SELECT pg_current_xact_id(); COMMIT;" * 19)
    assert sessions.writes() == (1, 20)


def test_the_statements_of_several_visits_in_one_text_are_seen(env: Env, owner: Env) -> None:
    Psql(owner).rows("DROP TABLE IF EXISTS usersessions")
    sessions = PostgreSqlSessions(owner, env)
    read = "SELECT data FROM usersessions WHERE uid = 'a'"
    with Psql(env) as server:
        sessions.begin()
        # In psql, what ends with this goes out together with what follows.
        server.rows(rf"{read}\; SELECT 1\; UPDATE usersessions SET data = data WHERE uid = 'a'")
        sessions.move([10**6])
        assert sessions.sent_together() == ""
        server.rows(rf"{read}\; {read}\; {read}")
        sessions.move([10**6])
        assert sessions.sent_together().count(read) == 3


@pytest.mark.parametrize(
    "write",
    [
        "UPDATE usersessions SET data = '{}' WHERE uid = 'a';",
        "INSERT INTO usersessions VALUES ('a', '{}') ON CONFLICT (uid) DO UPDATE SET data = '{}';",
    ],
)
def test_a_row_that_is_written_is_looked_up_by_an_upsert_too(
    env: Env, owner: Env, write: str
) -> None:
    Psql(owner).rows("DROP TABLE IF EXISTS usersessions")
    sessions = PostgreSqlSessions(owner, env)
    Psql(owner).rows("INSERT INTO usersessions VALUES ('a', '{}')")
    sessions.begin()
    with Psql(env) as server:
        server.rows(write * 200)
    found = sessions.reads(200, thorough=False)
    assert found.least <= found.seen < 300
