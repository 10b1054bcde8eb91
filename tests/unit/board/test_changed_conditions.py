"""What pieces were measured with: a generator of that many cores, a database of that version."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from support.study_with import study_with
from support.synthetic_run import build_run
from unit.board.test_board import HERE, MADE, column, piece
from webdyno.board import columns
from webdyno.board.columns import with_piece
from webdyno.board.link import Interval
from webdyno.board.pieces import CurrentSources, EntrySources, piece_of
from webdyno.catalog import Catalog
from webdyno.run.preparation.own_code import own_code
from webdyno.runtime.services.plugins.mariadb import SERVER_VARIABLE
from webdyno.store.records import GrownRecord
from webdyno.store.store import Store

WIDE = GrownRecord(scenario="json", load="closed", generator_cores=2, placement="cpu 0-1")


def test_pieces_with_a_smaller_generator_than_another_are_measured_anew() -> None:
    both = {("b", "a"): Interval(1.9, 2.1), ("c", "a"): Interval(1.9, 2.1)}
    narrow = replace(piece(both, day=0), usual="cpu 0")
    there = replace(HERE, placement=WIDE.placement)
    wide = replace(
        piece({("d", "a"): Interval(3.9, 4.1)}, day=1, conditions=there), usual="cpu 0", grown=WIDE
    )
    found = with_piece(with_piece(column(), narrow), wide)
    # However they come: that no later one needs it does not make the generator small again.
    again = with_piece(with_piece(column(), wide), narrow)
    for seen in (found, again):
        assert seen.today.grown == WIDE
        assert seen.standing().linked == ["a", "d"]
        assert [seen.stale(one) for one in "bcd"] == ["the placement changed"] * 2 + [""]
    # What was measured on another machine says nothing of this one.
    foreign = replace(wide, conditions=replace(there, machine="other"))
    assert with_piece(column(narrow), foreign).today == CurrentSources(HERE, MADE)


def test_a_piece_has_the_placement_that_it_ended_with() -> None:
    run = build_run(blocks=5, seconds=2)
    named = run.model_copy(
        update={
            "study": study_with(run.study, {"name": "board-json"}),
            "grown": [WIDE],
            "placement": "cpu 0",
        }
    )
    found = piece_of(named)
    assert found is not None
    assert (found.conditions.placement, found.usual, found.grown) == ("cpu 0-1", "cpu 0", WIDE)


@pytest.mark.slow
def test_another_database_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = tmp_path / "mariadbd"
    server.write_text("#!/bin/sh\necho mariadbd  Ver $(cat $0.version)-MariaDB for Linux\n")
    server.chmod(0o755)
    monkeypatch.setenv(SERVER_VARIABLE, str(server))
    monkeypatch.setattr(columns, "toolchains_of", lambda _: {"go": "1.25"})

    def today(version: str) -> EntrySources:
        (tmp_path / "mariadbd.version").write_text(version)
        chosen = ["go/gin", "go/chi"]
        with contextlib.closing(Store.open(tmp_path / "store.db")) as store:
            (found,) = columns.columns_of(Catalog(), store, chosen, ["point-lookup"])
        return found.today.made["go/gin"]

    before = today("10.11.6")
    assert before.versions == {"go": "1.25", "MariaDB": "10.11.6"}
    assert today("10.11.6").changed(before) == ""
    assert today("11.4.2").changed(before) == "MariaDB changed"


def test_another_engine_or_verifier_is_noticed_and_so_are_runs_that_do_not_tell() -> None:
    def measured(*digests: str) -> str:
        run = build_run(blocks=5, seconds=2)
        trials = [
            trial.model_copy(update={"sources": {"server": "s", "engine": one, "webdyno": "w"}})
            for trial, one in zip(run.trials, digests * len(run.trials), strict=False)
        ]
        named = {"study": study_with(run.study, {"name": "board-json"}), "trials": trials}
        found = piece_of(run.model_copy(update=named))
        assert found is not None
        return today.conditions.changed(replace(HERE, measured_with=found.conditions.measured_with))

    today = CurrentSources(replace(HERE, measured_with={"engine": "e", "webdyno": "w"}), MADE)
    assert measured("e") == ""
    told = "Webdyno's measuring code changed"
    assert measured("of before") == told
    assert measured("e", "of before") == told
    unsaid = build_run(blocks=5, seconds=2)
    found = piece_of(
        unsaid.model_copy(update={"study": study_with(unsaid.study, {"name": "board-json"})})
    )
    assert found is not None
    assert set(found.made) == {trial.entry for trial in unsaid.trials}
    without = found.conditions.measured_with
    assert without == {"engine": "", "webdyno": ""}
    assert today.conditions.changed(replace(HERE, measured_with=without)) == told


@pytest.mark.slow
def test_a_column_knows_what_is_measured_with_today(tmp_path: Path) -> None:
    with contextlib.closing(Store.open(tmp_path / "store.db")) as store:
        chosen = ["python/flask", "python/falcon"]
        (found,) = columns.columns_of(Catalog(), store, chosen, ["hello"])
    assert found.today.conditions.measured_with == own_code(Catalog().scenario("hello"), "engine")
