"""A lock that the database loses is noticed, and taken again where nobody else has it."""

from __future__ import annotations

from typing import Any, cast

import pytest
from sqlalchemy import Engine, make_url
from sqlalchemy.exc import OperationalError

from webdyno.store.sql.database import SharedLock


class Database:
    """Stands for PostgreSQL: one lock, held by a backend: its number and when all was started."""

    url = make_url("postgresql://host/name")

    def __init__(self) -> None:
        self.holder: str | None = None
        self.number = self.started = 0
        self.alive: set[str] = set()

    @property
    def last(self) -> str:
        return f"{self.number}@{self.started}"

    def connect(self) -> Backend:
        self.number += 1
        self.alive.add(self.last)
        return Backend(self, self.last)

    def restart(self) -> None:
        self.alive, self.holder = set(), None
        self.number, self.started = 0, self.started + 1


class Backend:
    def __init__(self, database: Database, pid: str) -> None:
        self.database, self.pid, self.cut = database, pid, False

    def execution_options(self, **_: object) -> Backend:
        return self

    def execute(self, statement: Any, _given: object = None) -> Backend:
        if self.cut or self.pid not in self.database.alive:
            raise OperationalError(str(statement), {}, Exception("closed"))
        self.said, database = str(statement), self.database
        if "try_advisory" in self.said and database.holder is None:
            database.holder = self.pid
        if "unlock" in self.said:
            database.holder = None
        return self

    def scalar(self) -> object:
        if "try_advisory" in self.said:
            return self.database.holder == self.pid
        return self.database.holder if "pg_locks" in self.said else self.pid

    scalar_one = scalar

    def close(self) -> None:
        pass

    invalidate = close


@pytest.fixture
def database() -> Database:
    return Database()


def lock(database: Database) -> SharedLock:
    return SharedLock(cast(Engine, database), "r")


def test_it_is_one_s_until_it_is_given_back(database: Database) -> None:
    ours, theirs = lock(database), lock(database)
    assert [ours.take(), theirs.take(), ours.take()] == [True, False, True]
    ours.give()
    assert [theirs.take(), ours.take()] == [True, False]


def test_a_restart_loses_it_to_whoever_comes_first(database: Database) -> None:
    ours, theirs = lock(database), lock(database)
    assert ours.take()
    database.restart()
    assert ours.take()
    assert not theirs.take()
    database.restart()
    assert theirs.take()
    assert not ours.take()


def test_the_number_of_a_backend_comes_again_after_a_restart(database: Database) -> None:
    ours, theirs = lock(database), lock(database)
    assert ours.take()
    database.restart()
    assert theirs.take()  # By the number that was ours.
    assert not ours.take()


def test_a_connection_that_was_cut_on_the_way_does_not_lose_it(database: Database) -> None:
    ours, theirs = lock(database), lock(database)
    assert ours.take()
    connection = cast(Backend, ours._connection)
    connection.cut = True
    # The database still holds it for the connection that was.
    assert ours.take()
    assert not theirs.take()
    database.holder = None
    assert ours.take()
    assert database.holder == database.last
