"""Looking into a real PostgreSQL with psql, and the table of sessions in both kinds of store."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.services import postgresql
from webdyno.catalog.scenario import read_scenario
from webdyno.runtime.proc import processes
from webdyno.runtime.services import RunningService, ServiceError, wal
from webdyno.runtime.services import psql as psql_module
from webdyno.runtime.services.psql import Psql, find_psql
from webdyno.runtime.services.sessions import Look, PostgreSqlSessions, Sessions, Total
from webdyno.runtime.services.sqlite_sessions import SqliteSessions
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.services import tell

SCENARIOS = Path(__file__).parents[3] / "scenarios"

pytestmark = pytest.mark.slow

Env = dict[str, str]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    service = postgresql(tmp_path_factory.mktemp("services"))
    yield service
    service.stop()


@pytest.fixture
def env(service: RunningService) -> Env:
    """As a server reaches it."""
    return service.env


@pytest.fixture
def owner(service: RunningService) -> Env:
    """As a verifier reaches it."""
    return service.as_owner


def wait_for(held: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not held():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_rows_come_as_text_and_values_are_quoted(env: Env) -> None:
    psql = Psql(env)
    text = 'it\'s "so", a\\b \\n é\u2603 :name `ls`; DROP TABLE x\n\r\t\\and a line'
    assert psql.rows("SELECT :'text', 1, NULL, true", text=text) == [[text, "1", "", "t"]]
    assert psql.rows("SELECT * FROM generate_series(1, 3)") == [["1"], ["2"], ["3"]]
    assert psql.rows("SELECT 1 WHERE false") == []


def test_an_error_is_told_in_the_database_s_words(env: Env) -> None:
    with pytest.raises(ServiceError, match=r'^psql: .*relation "nothing" does not exist$'):
        Psql(env).rows("SELECT * FROM nothing")


def test_one_session_serves_all_calls_until_it_is_closed(env: Env) -> None:
    """Else each new process tells a server that something is about to change."""
    pid = "SELECT pg_backend_pid()"
    with Psql(env) as psql:
        first = psql.rows(pid)
        assert psql.rows(f"{pid} -- :'text'", text="nothing more;") == first
        psql.close()
        assert psql.rows(pid) != first
        with pytest.raises(ServiceError, match="division by zero"):
            psql.rows("SELECT 1 / 0; SELECT 2")
        assert psql.rows("SELECT 3") == [["3"]]
        # More than a pipe holds, both ways.
        assert psql.rows("SELECT :'text'", text="x" * 100_000) == [["x" * 100_000]]
    open_now = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    wait_for(lambda: Psql(env).rows(open_now) == [["1"]])


def test_psql_does_not_pass_for_a_process_of_a_server(env: Env) -> None:
    """What comes to us in another session is taken for one that a server has left."""
    with Psql(env) as psql:
        psql.rows("SELECT 1")
        ours = [one for one in processes().values() if one.parent == os.getpid()]
        lines = {one.pid: read_or_nothing(Path(f"/proc/{one.pid}/cmdline")) for one in ours}
        started = [one for one in ours if b"psql" in lines[one.pid]]
    assert started
    assert {one.session for one in started} == {os.getsid(0)}


def test_a_value_of_one_call_is_unknown_to_the_next(env: Env) -> None:
    psql = Psql(env)
    psql.rows("SELECT :number", number=7)
    with pytest.raises(ServiceError, match="syntax error"):
        psql.rows("SELECT :number")


def test_calls_of_several_threads_get_their_own_rows(env: Env) -> None:
    psql = Psql(env)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda n: psql.rows("SELECT :n", n=n), range(100)))
    assert found == [[[str(n)]] for n in range(100)]


def test_no_value_stands_on_a_command_line(env: Env) -> None:
    """Every server can read those, before the value is in the table."""
    psql = Psql(env)
    psql.rows("SELECT 1")
    asked = {"sql": "SELECT pg_sleep(0.5), :'title'", "title": "nobody knows"}
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(psql.rows, **asked)
        time.sleep(0.1)
        lines = [read_or_nothing(file) for file in Path("/proc").glob("[0-9]*/cmdline")]
        assert answer.result() == [["", "nobody knows"]]
    assert any(b"psql" in line for line in lines)
    assert not any(b"nobody knows" in line for line in lines)


def read_or_nothing(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def test_an_answer_that_does_not_come_is_given_up(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psql_module, "TIMEOUT_S", 1.0)
    psql = Psql(env)
    with pytest.raises(ServiceError, match=r"psql: no result within 1 s of: SELECT pg_sleep\(60\)"):
        psql.rows("SELECT pg_sleep(60)")
    assert psql.rows("SELECT 4") == [["4"]]


@pytest.mark.parametrize(
    "name", ["cached", "fortunes", "page", "queries", "session-counter", "updates"]
)
def test_a_verifier_leaves_the_database_at_the_end_of_its_trial(
    service: RunningService, tmp_path: Path, name: str
) -> None:
    verifier = verifier_of(read_scenario(SCENARIOS / name), {}, tmp_path, 1)
    tell(verifier, [service])
    connected = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    outside = Psql(service.as_owner)
    wait_for(lambda: outside.rows(connected) == [["1"]])
    verifier.prepare()
    assert outside.rows(connected) == [["2"]]
    verifier.close()
    wait_for(lambda: outside.rows(connected) == [["1"]])
    outside.rows("DROP TABLE IF EXISTS articles, fortune, stock, usersessions, world")


def test_no_database_is_an_error_too(env: Env) -> None:
    with pytest.raises(ServiceError, match=r"psql: .*[Cc]onnection"):
        Psql({**env, "PGPORT": "1"}).rows("SELECT 1")


def test_psql_is_the_program_itself_and_no_wrapper(env: Env) -> None:
    assert find_psql().read_bytes().startswith(b"\x7fELF")


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
    sessions = PostgreSqlSessions(owner)

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


def test_a_table_that_holds_no_json_cannot_be_summed(owner: Env) -> None:
    psql = Psql(owner)
    psql.rows("DROP TABLE IF EXISTS usersessions")
    sessions = PostgreSqlSessions(owner)
    psql.rows("INSERT INTO usersessions VALUES ('a', 'one')")
    with pytest.raises(ServiceError, match="invalid input syntax for type json"):
        sessions.total()


def test_connections_of_others_are_counted(env: Env, owner: Env) -> None:
    Psql(owner).rows("DROP TABLE IF EXISTS usersessions")
    sessions = PostgreSqlSessions(owner)
    # A connection that was closed is gone once its process has ended.
    wait_for(lambda: sessions.connections() == 0)
    asked = [str(find_psql()), "-X", "-q", "-c", "SELECT pg_sleep(60)"]
    other = subprocess.Popen(asked, env={**os.environ, **env})
    try:
        wait_for(lambda: sessions.connections() == 1)
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("COPY (SELECT 1) TO PROGRAM 'cat'", "COPY to or from an external program"),
        ("COPY (SELECT 1) TO '/tmp/x'", "COPY to a file"),
        ("SELECT pg_read_file('PG_VERSION')", "permission denied"),
        ("SELECT lo_export(lo_from_bytea(0, 'x'), '/tmp/x')", "permission denied"),
        ("CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'libc', 'getpid'", "permission denied"),
        ("ALTER SYSTEM SET archive_command = 'cat'", "permission denied|must be superuser"),
        ("SELECT pg_stat_reset()", "permission denied"),
        ("SELECT * FROM log.dumped", "permission denied"),
        ("CREATE TABLE log.other (x int)", "permission denied"),
    ],
)
def test_who_uses_the_database_gets_nothing_done_outside_of_it(
    env: Env, sql: str, says: str
) -> None:
    """Else a server works in a process of the database, in nobody's account or sandbox."""
    with pytest.raises(ServiceError, match=says):
        Psql(env).rows(sql)


DENIED = r"permission denied (for language|to create temporary tables)"
PROGRAMS = [
    "DO 'BEGIN COMMIT; END'",
    "CREATE PROCEDURE pg_temp.p() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'",
    "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql RETURN 1",
]


def test_who_uses_the_database_writes_no_programs_for_it(env: Env) -> None:
    """Else one statement does the work of many, and counts as many transactions."""
    for database in (env["PGDATABASE"], "postgres", "template1"):
        for sql in PROGRAMS:
            with pytest.raises(ServiceError, match=DENIED):
                Psql({**env, "PGDATABASE": database}).rows(sql)
    with pytest.raises(ServiceError, match="permission denied to create database"):
        Psql(env).rows("CREATE DATABASE copied TEMPLATE template0")


OF_THE_OWNER = [
    "ALTER TABLE stock ENABLE ROW LEVEL SECURITY",
    "CREATE POLICY none ON stock FOR UPDATE USING (false)",
    "CREATE RULE none AS ON UPDATE TO stock DO INSTEAD NOTHING",
    "CREATE TRIGGER none BEFORE UPDATE ON stock FOR EACH ROW"
    " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "CREATE INDEX quicker ON stock (quantity)",
    "ALTER TABLE stock ADD COLUMN escaped text GENERATED ALWAYS AS (quantity::text) STORED",
    "ALTER TABLE stock RENAME TO other",
    "TRUNCATE stock",
    "CREATE TABLE public.other (x int)",
    "CREATE SCHEMA other",
    "ALTER DATABASE webdyno SET search_path = webdyno",
    "ALTER ROLE lab SET search_path = webdyno",
    "SET ROLE lab",
]


def test_who_uses_the_database_has_rights_to_rows_alone(env: Env, owner: Env) -> None:
    """Else a server could put policies, rules and triggers between the verifier and the rows."""
    Psql(owner).rows("CREATE TABLE stock (id serial, quantity int)")
    Psql(env).rows("INSERT INTO stock (quantity) VALUES (1); UPDATE stock SET quantity = 2")
    for sql in OF_THE_OWNER:
        with pytest.raises(ServiceError, match=r"must be owner|permission denied"):
            Psql(env).rows(sql)
    Psql(owner).rows("DROP TABLE stock")


def test_what_a_server_makes_of_its_own_hides_nothing_from_the_verifier(
    env: Env, owner: Env
) -> None:
    Psql(owner).rows("CREATE TABLE stock (id int); INSERT INTO stock VALUES (1)")
    Psql(env).rows(
        "CREATE TABLE own (id int); INSERT INTO own VALUES (7);"
        " CREATE VIEW stock AS SELECT 9 AS id;"
        " CREATE VIEW pg_stat_user_tables AS SELECT 'stock' AS relname, 10 ^ 9 AS seq_scan;"
        " ALTER ROLE webdyno SET search_path = webdyno, pg_catalog, public"
    )
    counted = "SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'stock'"
    assert Psql(env).rows(f"SELECT id FROM stock; {counted}") == [["9"], ["1000000000"]]
    found = Psql(owner).rows(f"SELECT id FROM stock; {counted}; SELECT id FROM webdyno.own")
    assert (found[0], found[2]) == (["1"], ["7"])
    assert int(found[1][0]) < 10
    Psql(env).rows(
        "ALTER ROLE webdyno RESET search_path; DROP VIEW stock, pg_stat_user_tables; DROP TABLE own"
    )
    Psql(owner).rows("DROP TABLE stock")


def test_nobody_connects_as_the_owner_without_its_password(env: Env) -> None:
    with pytest.raises(ServiceError, match="no password supplied"):
        Psql({**env, "PGUSER": "lab"}).rows("SELECT 1")
    with pytest.raises(ServiceError, match="password authentication failed"):
        Psql({**env, "PGUSER": "lab", "PGPASSWORD": "guess"}).rows("SELECT 1")


@pytest.mark.parametrize("user", ["admin", "postgres"])
def test_nobody_connects_as_another_user(env: Env, user: str) -> None:
    with pytest.raises(ServiceError, match=r"pg_hba\.conf"):
        Psql({**env, "PGUSER": user}).rows("SELECT 1")


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
    sessions, server = PostgreSqlSessions(owner), Psql(env)
    sessions.begin()
    visits = ", ".join(f"""('{number}', '{{"count": 1}}')""" for number in range(20))
    server.rows(f"INSERT INTO usersessions VALUES {visits}")
    server.rows("BEGIN; SELECT pg_current_xact_id(); COMMIT;" * 19)
    assert sessions.writes() == (1, 20)
