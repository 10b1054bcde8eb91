"""A real MariaDB of our own, and tables that are loaded once and copied after."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from webdyno.runtime.ports import is_listening
from webdyno.runtime.proc import descendants, is_zombie
from webdyno.runtime.processes.deadline import TookTooLong, deadline
from webdyno.runtime.services import RunningService, ServiceError, ServiceMissing, start_service
from webdyno.runtime.services.dataset import Dataset, install
from webdyno.runtime.services.mysql import MySql, quoted
from webdyno.runtime.services.plugins.mariadb import start_mariadb

pytestmark = pytest.mark.slow

Make = Callable[[str], RunningService]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@contextlib.contextmanager
def making(cache: Path, folder: Path) -> Iterator[Make]:
    """Starts services in `folder` that are stopped at the end."""
    # The database drops to an unprivileged user where we are root; pytest's folders are private.
    for private in [cache, folder, *cache.parents, *folder.parents]:
        if private.stat().st_mode & 0o011 == 0:
            private.chmod(private.stat().st_mode | 0o011)
    started: list[RunningService] = []

    def start(name: str) -> RunningService:
        try:
            service = start_service("mariadb", folder / name, cache, (), folder / f"{name}.log")
        except ServiceMissing as missing:
            pytest.skip(str(missing))
        started.append(service)
        return service

    yield start
    for service in started:
        service.stop()


@pytest.fixture
def make(cache: Path, tmp_path: Path) -> Iterator[Make]:
    """Starts services that are stopped after the test."""
    with making(cache, tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def with_files(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service with an empty table, for tests of what cannot be done to it."""
    with making(cache, tmp_path_factory.mktemp("shared")) as start:
        service = start("one")
        MySql(service.as_owner).rows("CREATE TABLE files (line TEXT)")
        yield service


def numbers(count: int, made: list[int]) -> Dataset:
    """A table of `count` rows; `made` grows each time that they are made."""

    def blocks() -> Iterator[str]:
        made.append(count)
        for row in range(count):
            yield f"{row}\tName {row} – ü\n"

    return Dataset(
        table="numbers",
        columns="number INT NOT NULL, name VARCHAR(40) NOT NULL",
        indexes=("CREATE INDEX numbers_name ON numbers (name)",),
        origin=f"{count} rows",
        blocks=blocks,
    )


def test_it_starts_empty_serves_loopback_and_leaves_nothing(make: Make) -> None:
    service = make("one")
    client = MySql(service.env)
    assert client.rows("SHOW TABLES") == []
    [[version, address, cached]] = client.rows(
        "SELECT @@version, @@bind_address, @@query_cache_type"
    )
    assert (version.partition("-")[0], address) == (service.version, "127.0.0.1")
    assert cached == "OFF"
    assert service.program == ("MariaDB" if "MariaDB" in version else "MySQL")
    # A trial kills what has not ended in time; by itself it ends on a busy machine, too.
    service.process.stop(60.0, service.stopped_by)
    service.stop()
    assert not service.folder.exists()
    assert service.process.exit_code() in (0, -signal.SIGTERM)
    assert not is_listening(int(service.env["MYSQL_PORT"]))


def test_texts_are_quoted_and_errors_told_in_its_words(make: Make) -> None:
    client = MySql(make("one").env)
    text = 'it\'s "so", a\\b; DROP TABLE x -- ü'
    assert client.rows(f"SELECT {quoted(text)}") == [[text]]
    several = "SELECT NULL; SELECT 1, 2.50; SELECT X'C3BC'"
    assert client.rows(several) == [["NULL"], ["1", "2.50"], ["ü"]]
    with pytest.raises(ServiceError, match=r"^database: no result within 1 s of: SELECT SLEEP"):
        client.rows("SELECT SLEEP(9)", timeout_s=1.0)
    with pytest.raises(ServiceError, match=r"^database: ERROR 1146: .*nothing' doesn't exist$"):
        client.rows("SELECT * FROM nothing")


def test_a_table_is_loaded_once_and_each_copy_is_whole_and_its_own(make: Make, cache: Path) -> None:
    made: list[int] = []
    one, two = make("one"), make("two")
    assert install(numbers(500, made), one.as_owner, cache, start_mariadb) is False
    assert install(numbers(500, made), two.as_owner, cache, start_mariadb) is True
    assert made == [500]
    for service in (one, two):
        client = MySql(service.env)
        assert client.rows("SELECT COUNT(*), SUM(number) FROM numbers") == [["500", "124750"]]
        assert client.rows("SELECT number FROM numbers WHERE name = 'Name 77 – ü'") == [["77"]]
        plan = client.rows("EXPLAIN SELECT number FROM numbers WHERE name = 'Name 77 – ü'")
        assert "numbers_name" in plan[0]
    MySql(one.as_owner).rows("DELETE FROM numbers")
    assert MySql(two.env).rows("SELECT COUNT(*) FROM numbers") == [["500"]]


def test_another_origin_is_another_table(make: Make, cache: Path) -> None:
    made: list[int] = []
    service = make("one")
    assert install(numbers(20, made), service.as_owner, cache, start_mariadb) is False
    assert MySql(service.env).rows("SELECT COUNT(*) FROM numbers") == [["20"]]
    assert made == [20]


def test_a_table_that_cannot_be_made_leaves_nothing_in_the_cache(make: Make, cache: Path) -> None:
    service = make("one")
    broken = Dataset("broken", "number INT NOT NULL", (), "text", lambda: iter(["text\n"]))
    with pytest.raises(ServiceError, match="Incorrect integer value"):
        install(broken, service.as_owner, cache, start_mariadb)
    assert not list((cache / "datasets").glob("broken*"))


@pytest.mark.parametrize(
    ("number", "fault", "most_s"),
    [(signal.SIGKILL, ServiceError, 60), (signal.SIGSTOP, TookTooLong, 1.5)],
)
def test_a_database_lost_in_the_midst_of_a_load_leaves_nothing(
    make: Make, cache: Path, number: signal.Signals, fault: type[Exception], most_s: float
) -> None:
    service = make("one")

    def databases() -> list[int]:
        found = []
        for pid in descendants(os.getpid()):
            with contextlib.suppress(OSError):  # It has ended meanwhile.
                if Path(f"/proc/{pid}/comm").read_text().strip() in ("mariadbd", "mysqld"):
                    found.append(pid)
        return [pid for pid in found if pid not in others and not is_zombie(pid)]

    # This test's own, and that of tests which may have been run before it.
    others: list[int] = []
    others += databases()
    assert service.process.pid in others

    def blocks() -> Iterator[str]:
        for pid in databases():
            os.kill(pid, number)
        limits.enter_context(deadline(most_s, "the load"))
        yield "1\n"

    lost = Dataset("lost", "number INT NOT NULL", (), number.name, blocks)
    with pytest.raises(fault), contextlib.ExitStack() as limits:
        install(lost, service.as_owner, cache, start_mariadb)
    assert not list((cache / "datasets").glob("lost*"))
    assert databases() == []


def test_a_named_server_program_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBDYNO_MYSQLD", "/nowhere/bin/mysqld")
    with pytest.raises(ServiceMissing, match="WEBDYNO_MYSQLD is /nowhere/bin/mysqld"):
        start_mariadb(tmp_path / "it", tmp_path / "cache", (), tmp_path / "log")
    assert not (tmp_path / "it").exists()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "LOAD DATA INFILE '/etc/hostname' INTO TABLE files",
        "SET GLOBAL general_log_file = '/tmp/x'",
        "SET GLOBAL max_connections = 10",
        "INSTALL SONAME 'ha_blackhole'",
        "CREATE USER other",
        "SHUTDOWN",
    ],
)
def test_who_uses_the_database_gets_nothing_done_outside_of_it(
    with_files: RunningService, sql: str
) -> None:
    client = MySql(with_files.env)
    with pytest.raises(ServiceError, match=r"ERROR (1045|1142|1227|1290)"):
        client.rows(sql)
    assert client.rows("SELECT LOAD_FILE('/etc/hostname')") == [["NULL"]]


OF_THE_OWNER = [
    "ALTER TABLE files ADD COLUMN shown TEXT",
    "CREATE INDEX quicker ON files (line(9))",
    "RENAME TABLE files TO other",
    "CREATE VIEW other AS SELECT * FROM files",
    "CREATE TRIGGER kept BEFORE UPDATE ON files FOR EACH ROW SET NEW.line = OLD.line",
    "CREATE PROCEDURE p() SELECT 1",
]


def test_who_uses_the_database_has_rights_to_rows_alone(with_files: RunningService) -> None:
    """Else a server could put views and triggers between the verifier and the rows."""
    service = with_files
    client = MySql(service.env)
    client.rows("INSERT INTO files VALUES ('a'); UPDATE files SET line = 'b'; DELETE FROM files")
    for sql in OF_THE_OWNER:
        with pytest.raises(ServiceError, match=r"ERROR (1142|1044|1370)"):
            client.rows(sql)
    for user in ("lab", "webdyno"):
        with pytest.raises(ServiceError, match=r"ERROR 1045"):
            MySql({**service.env, "MYSQL_USER": user, "MYSQL_PASSWORD": "guess"}).rows("SELECT 1")


@pytest.mark.parametrize("user", ["root", "mysql", "mariadb.sys", "nobody"])
def test_nobody_connects_as_another_user(with_files: RunningService, user: str) -> None:
    with pytest.raises(ServiceError, match=r"ERROR (1045|1130|1698)"):
        MySql({**with_files.env, "MYSQL_USER": user}).rows("SELECT 1")
