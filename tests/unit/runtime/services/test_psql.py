"""Looking into a real PostgreSQL with psql."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.services import wait_until
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.runtime.proc import processes
from webdyno.runtime.services import RunningService, ServiceError
from webdyno.runtime.services import psql as psql_module
from webdyno.runtime.services.psql import Psql, find_psql
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.services import tell

SCENARIOS = Path(__file__).parents[4] / "scenarios"

pytestmark = pytest.mark.slow

Env = dict[str, str]


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
    wait_until(lambda: Psql(env).rows(open_now) == [["1"]])


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
    psql = Psql(env)
    with monkeypatch.context() as patched:
        patched.setattr(psql_module, "TIMEOUT_S", 1.0)
        with pytest.raises(
            ServiceError, match=r"psql: no result within 1 s of: SELECT pg_sleep\(60\)"
        ):
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
    wait_until(lambda: outside.rows(connected) == [["1"]])
    verifier.prepare()
    assert outside.rows(connected) == [["2"]]
    verifier.close()
    wait_until(lambda: outside.rows(connected) == [["1"]])
    outside.rows("DROP TABLE IF EXISTS articles, fortune, stock, usersessions, world")


def test_no_database_is_an_error_too(env: Env) -> None:
    with pytest.raises(ServiceError, match=r"psql: .*[Cc]onnection"):
        Psql({**env, "PGPORT": "1"}).rows("SELECT 1")


def test_psql_is_the_program_itself_and_no_wrapper(env: Env) -> None:
    assert find_psql().read_bytes().startswith(b"\x7fELF")
