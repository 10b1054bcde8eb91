"""Servers may do with a verifier's table what the scenario asks for, and lock no more of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.runtime.services import RunningService, ServiceError
from webdyno.runtime.services.psql import Psql
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.services import tell

pytestmark = pytest.mark.slow

SCENARIOS = Path(__file__).parents[4] / "scenarios"


def prepared(service: RunningService, work: Path, name: str, table: str) -> Psql:
    """The scenario's table, as a server reaches it."""
    Psql(service.as_owner).rows('DROP TABLE IF EXISTS :"table"', table=table)
    verifier = verifier_of(read_scenario(SCENARIOS / name), {}, work, 1)
    tell(verifier, [service])
    verifier.prepare()
    return Psql(service.env)


@pytest.mark.parametrize(
    ("name", "table"),
    [("queries", "world"), ("cached", "world"), ("fortunes", "fortune"), ("page", "articles")],
)
def test_what_is_only_read_can_be_neither_written_nor_locked(
    service: RunningService, tmp_path: Path, name: str, table: str
) -> None:
    psql = prepared(service, tmp_path, name, table)
    assert psql.rows(f"SELECT count(*) > 1 FROM {table}") == [["t"]]
    for refused in (
        f"SELECT * FROM {table} FOR SHARE",
        f"SELECT * FROM {table} FOR KEY SHARE",
        f"BEGIN; LOCK TABLE {table} IN SHARE MODE",
        f"DELETE FROM {table}",
    ):
        with pytest.raises(ServiceError, match="permission denied"):
            psql.rows(refused)


def test_rows_of_updates_can_be_locked_and_counted_up_and_no_more(
    service: RunningService, tmp_path: Path
) -> None:
    psql = prepared(service, tmp_path, "updates", "stock")
    psql.rows(
        "BEGIN; SELECT quantity FROM stock WHERE id = 7 FOR UPDATE;"
        " UPDATE stock SET quantity = quantity + 1 WHERE id = 7; COMMIT"
    )
    for refused in (
        "BEGIN; LOCK TABLE stock IN SHARE MODE",
        "BEGIN; LOCK TABLE stock IN EXCLUSIVE MODE",
        "UPDATE stock SET id = -id",
        "INSERT INTO stock VALUES (0, 1)",
        "DELETE FROM stock",
    ):
        with pytest.raises(ServiceError, match="permission denied"):
            psql.rows(refused)
