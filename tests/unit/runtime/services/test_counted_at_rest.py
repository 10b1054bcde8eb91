"""What a server did before a load is counted before it."""

from __future__ import annotations

from typing import Any

import pytest

from support.services import wait_until
from webdyno.runtime.services import RunningService, ServiceError, counted_at_rest
from webdyno.runtime.services.psql import Psql
from webdyno.runtime.services.table_work import TableWork
from webdyno.verifier import Breakdown

SERVERS = {"PGUSER": "webdyno"}


class Connections:
    """A PostgreSQL whose connections are as told at each of some moments, and idle from then on."""

    def __init__(self, *busy: list[tuple[str, str, str]]) -> None:
        self.busy = list(busy)
        self.counted = 0

    def rows(self, _sql: str, **_: object) -> list[list[str]]:
        found = self.busy.pop(0) if self.busy else []
        # What it waits between its looks is told as an empty line.
        return [[], *map(list, found), []]

    def count(self) -> int:
        self.counted += 1
        return self.counted


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_at_rest, "AGAIN_S", 0.001)


def counted(psql: Any) -> int:
    return counted_at_rest.counted_at_rest(psql, SERVERS, psql.count)


OPEN = ("7", "idle in transaction", "SELECT 1")


def test_it_is_counted_again_until_nothing_was_under_way() -> None:
    assert counted(Connections()) == 1
    assert counted(Connections([OPEN], [("8", "active", "SELECT 2")])) == 3


def test_a_transaction_that_stays_open_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_at_rest, "REST_WITHIN_S", 0.01)
    forever = Connections(*[[OPEN, OPEN, ("8", "active", "SELECT 2")]] * 10_000)
    with pytest.raises(
        Breakdown, match=r"2 of its connections .*; one was idle in transaction, with: SELECT 1;"
    ):
        counted(forever)


def test_who_cannot_be_asked_proves_nothing() -> None:
    class Silent(Connections):
        def rows(self, _sql: str, **_: object) -> list[list[str]]:
            raise ServiceError("psql: it is gone")

    with pytest.raises(Breakdown, match="connections cannot be looked at: psql: it is gone"):
        counted(Silent())


@pytest.mark.slow
def test_reads_of_an_open_transaction_are_waited_for(
    service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = Psql(service.as_owner)
    owner.rows("CREATE TABLE banked (id INTEGER PRIMARY KEY)")
    owner.rows("INSERT INTO banked SELECT generate_series(1, 100)")

    def count() -> TableWork:
        return TableWork.of(owner, "banked")

    with Psql(service.env) as server:
        server.rows("BEGIN; SELECT count(*) FROM banked")
        assert count().passed == 0
        monkeypatch.setattr(counted_at_rest, "REST_WITHIN_S", 0.1)
        with pytest.raises(Breakdown, match="with: SELECT count"):
            counted_at_rest.counted_at_rest(owner, service.env, count)
        server.rows("COMMIT")
        counted_at_rest.counted_at_rest(owner, service.env, count)
    wait_until(lambda: count().passed == 100)
