"""The files that fill the databases of a pair."""

from pathlib import Path

import pytest

from unit.ab.conftest import FILE, paired
from webdyno.ab.request.description import described_in
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.catalog import Catalog
from webdyno.errors import UserError

SERVICES = """
[services.postgresql]
seed = ["tables.sql", "more/rows.sql"]
"""


def with_services(here: Path) -> None:
    (here / "webdyno.toml").write_text(FILE + SERVICES)
    (here / "more").mkdir()
    for name in ("tables.sql", "more/rows.sql"):
        (here / name).write_text(f"-- {name}\n")


def test_seeds_are_kept_in_their_order(here: Path, tmp_path: Path) -> None:
    with_services(here)
    pair = paired(here, tmp_path / "into", places=[".", "."])
    scenario = pair.catalog.scenario("requests")
    assert scenario.manifest.services == ["postgresql"]
    seeds = sorted((scenario.folder / "seeds" / "postgresql").glob("*/*.sql"))
    assert [seed.read_text() for seed in seeds] == ["-- tables.sql\n", "-- more/rows.sql\n"]


def test_with_a_database_there_are_no_turns(here: Path, tmp_path: Path) -> None:
    alone = paired(here, tmp_path / "alone", places=[".", "."]).study.loads
    with_services(here)
    beside = paired(here, tmp_path / "beside", places=[".", "."]).study.loads
    assert [load.in_turns for load in alone] == [True, True]
    assert [load.in_turns for load in beside] == [False, False]


def test_a_seed_lies_beside_the_description_that_names_it(here: Path, tmp_path: Path) -> None:
    with_services(here)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    wanted = PairRequest(cwd=elsewhere, places=[str(here), str(elsewhere)])
    _, versions = resolve(wanted, Catalog(), tmp_path / "into")
    assert described_in(wanted, versions) == here
    named = PairRequest(cwd=elsewhere, file=here / "webdyno.toml")
    assert described_in(named, versions) == here


def test_a_seed_that_is_not_there_is_told(here: Path, tmp_path: Path) -> None:
    with_services(here)
    (here / "tables.sql").unlink()
    with pytest.raises(UserError, match=r"services.postgresql.seed: no file tables.sql"):
        paired(here, tmp_path / "into", places=[".", "."])
