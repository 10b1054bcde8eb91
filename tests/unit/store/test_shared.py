"""A store that machines share: PostgreSQL, by its URL, with several writers at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import create_engine, text

from support.services import postgresql, wait_until
from unit.store.test_store import a_run, a_trial
from webdyno.errors import UserError
from webdyno.runtime.services import RunningService
from webdyno.store.sql.database import DriverMissing, connected
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy

pytestmark = [pytest.mark.slow, pytest.mark.concurrent]

AT_ONCE, ROUNDS = 6, 4


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    pytest.importorskip(
        "psycopg",
        reason="no driver; install it: pip install -r requirements-postgresql.lock",
    )
    started = postgresql(tmp_path_factory.mktemp("shared"), all_rights=True)
    with connected(started.env["DATABASE_URL"]).begin() as connection:
        # As it is by default: what was committed outlasts a crash.
        name = started.env["PGDATABASE"]
        connection.execute(text(f"ALTER DATABASE {name} SET synchronous_commit = on"))
    yield started
    started.stop()


@pytest.fixture
def url(service: RunningService) -> str:
    """An empty database."""
    emptied(service)
    return service.env["DATABASE_URL"]


def emptied(service: RunningService) -> None:
    with connected(service.env["DATABASE_URL"]).begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))


def open_and_save(url: str, number: int) -> None:
    """What each of several programs does first."""
    store = Store.open(url)
    store.save_run(a_run(f"run-{number}"))
    store.close()


def test_those_that_start_first_at_once_make_one_schema(service: RunningService) -> None:
    url = service.env["DATABASE_URL"]
    with multiprocessing.get_context("fork").Pool(AT_ONCE) as programs:
        for _ in range(ROUNDS):
            emptied(service)
            each = [(url, number) for number in range(AT_ONCE)]
            programs.starmap_async(open_and_save, each, chunksize=1).get(60)
            assert len(Store.open(url).listed()) == AT_ONCE


def test_what_two_write_at_once_both_find_again(url: str) -> None:
    def write(id_: str) -> Store:
        store = Store.open(url)
        store.save_run(a_run(id_))
        for index in range(20):
            store.add_trial(a_trial(id_, index))
        return store

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(write, ("one", "other"))
    assert one.run("other") == other.run("other")
    assert [trial.index for trial in other.run("one").trials] == list(range(20))
    assert {run.id for run in one.runs("quick")} == {"one", "other"}


def test_a_record_may_hold_more_than_a_column_does(url: str) -> None:
    store = Store.open(url)
    long = "x" * 500
    store.save_run(
        a_run("r").model_copy(update={"study": StoredStudy(name=long), "command": "a\0b"})
    )
    store.add_trial(a_trial("r", 0).model_copy(update={"load": long, "server": long}))
    (found,) = store.runs(long)
    assert (found.study.name, found.command) == (long, "a\0b")
    assert store.run("r").trials[0].load == long


def test_a_run_has_one_writer_on_all_machines(url: str) -> None:
    here, there = Store.open(url), Store.open(url)
    with (
        here.writing("r"),
        there.writing("another"),
        pytest.raises(UserError, match="run r is under way on another machine"),
        there.writing("r"),
    ):
        pass
    with there.writing("r"):
        pass


def test_the_lock_ends_with_its_process(url: str) -> None:
    hold = (
        "import sys; from webdyno.store.store import Store\n"
        "with Store.open(sys.argv[1]).writing('r'): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        store = Store.open(url)
        with pytest.raises(UserError, match="under way"), store.writing("r"):
            pass
        holders = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"
        with connected(url).connect() as looking:
            (holder,) = looking.execute(text(holders)).scalars()
        other.kill()
    # The connection has ended with its process; the database ends what served it in its own time.
    wait_until(lambda: not is_served(url, holder))
    with store.writing("r"):
        pass


def is_served(url: str, backend: int) -> bool:
    """Whether the database's process `backend` is still there."""
    with connected(url).connect() as looking:
        found = looking.execute(text("SELECT pid FROM pg_stat_activity")).scalars()
        return backend in found


def ended_by_the_database(url: str) -> None:
    """The database has ended all connections, and with them all locks."""
    with create_engine(connected(url).url).begin() as connection:
        # Without a time to wait it would only ask for their end.
        others = "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE pid <> "
        assert connection.execute(text(f"{others} pg_backend_pid() AND datname IS NOT NULL")).all()


def test_a_writer_whose_lock_the_database_lost_takes_it_again(url: str) -> None:
    here, there = Store.open(url), Store.open(url)
    with here.writing("r"):
        here.save_run(a_run("r"))
        ended_by_the_database(url)
        here.add_trial(a_trial("r", 0))
        with pytest.raises(UserError, match="under way on another machine"), there.writing("r"):
            pass
    assert not there.is_written("r")


def test_a_writer_stops_where_another_machine_went_on_with_its_run(url: str) -> None:
    here, there = Store.open(url), Store.open(url)
    with here.writing("r"):
        here.save_run(a_run("r"))
        ended_by_the_database(url)
        with there.writing("r"):
            with pytest.raises(UserError, match="another machine has resumed the run"):
                here.add_trial(a_trial("r", 0))
            there.add_trial(a_trial("r", 1))
        assert [trial.index for trial in there.run("r").trials] == [1]


def test_a_connection_that_the_database_ends_costs_no_trial(url: str) -> None:
    store = Store.open(url)
    store.save_run(a_run("r"))
    ended_by_the_database(url)
    store.add_trial(a_trial("r", 0))
    assert len(store.run("r").trials) == 1


def test_a_database_that_starts_again_is_waited_for(url: str) -> None:
    store = Store.open(url)
    store.save_run(a_run("r"))
    other = connected(url).connect()
    # Where one of its processes is killed, PostgreSQL throws out everybody and recovers.
    os.kill(int(other.execute(text("SELECT pg_backend_pid()")).scalar_one()), signal.SIGKILL)
    for index in range(100):
        store.add_trial(a_trial("r", index))
    assert len(store.run("r").trials) == 100


def test_a_database_that_is_not_there_is_told_without_its_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(UserError) as told:
        Store.open("postgresql://me:hidden@127.0.0.1:9/none")
    assert "cannot be opened" in str(told.value)
    assert "hidden" not in str(told.value)


def test_a_driver_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DriverMissing, match=r"pip install 'webdyno\[postgresql\]'"):
        Store.open("postgresql://127.0.0.1/none")
    monkeypatch.setitem(sys.modules, "MySQLdb", None)
    with pytest.raises(DriverMissing, match="Python package 'MySQLdb'"):
        Store.open("mysql://127.0.0.1/none")
