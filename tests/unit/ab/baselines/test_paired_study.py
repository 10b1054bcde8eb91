"""A gate in pairs: the study that it runs, of each server and its baseline."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.small_study import a_study
from unit.ab.baselines.test_paired import old_run
from webdyno.ab.baselines.baseline import Baseline
from webdyno.ab.baselines.paired_study import PairedStudy, pairs_of
from webdyno.catalog import Catalog
from webdyno.store.records import Skipped
from webdyno.trial.events import silent


def asked(tmp_path: Path, **study: object) -> PairedStudy | str:
    fields = {"servers": ["go/gin"], "scenarios": ["json"], **study}
    return pairs_of(old_run(), a_study(**fields), Catalog(), tmp_path, tmp_path / "into", silent)


# What finds and builds them has tests of its own.
@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each server's baseline is that server as it is today."""
    monkeypatch.setattr(
        "webdyno.ab.baselines.baseline.BaselineFinder.find",
        lambda _finder, today: Baseline(today.server, "its source is the same"),
    )


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is to be built can be."""
    monkeypatch.setattr("webdyno.ab.baselines.paired_study.prepare", lambda *_, **__: ({}, []))


@pytest.mark.usefixtures("found", "built")
def test_both_are_up_at_once_and_take_turns(tmp_path: Path) -> None:
    made = asked(tmp_path)
    assert isinstance(made, PairedStudy)
    assert made.study.servers == ["go/gin-baseline", "go/gin"]
    assert made.study.control == "go/gin-baseline"
    assert made.study.loads[0].in_turns
    assert made.study.loads[0].label() == "closed-8"
    assert made.catalog.server_variant("go/gin-baseline").server.build_id == "go/gin"


@pytest.mark.usefixtures("found", "built")
def test_loads_take_turns_unless_a_service_goes_on_working(tmp_path: Path) -> None:
    loads = [
        {"kind": "closed", "connections": 8, "duration": "1s"},
        {"kind": "open", "phases": ["100/s:1s"], "scale": "half"},
    ]
    made = asked(tmp_path, loads=loads)
    assert isinstance(made, PairedStudy)
    assert [load.in_turns for load in made.study.loads] == [True, True]
    assert made.study.blocks.looks == "late"
    made = asked(tmp_path, loads=loads, scenarios=["session-counter"])
    assert isinstance(made, PairedStudy)
    assert [load.in_turns for load in made.study.loads] == [False, False]


@pytest.mark.usefixtures("found")
def test_a_baseline_that_would_be_called_as_another_server_is_none(tmp_path: Path) -> None:
    server = Catalog().server("go/gin")
    folder = tmp_path / "content" / "servers" / "go"
    shutil.copytree(server.folder, folder / "gin-baseline")
    manifest = folder / "gin-baseline" / "server.toml"
    manifest.write_text(manifest.read_text().replace('name = "gin"', 'name = "gin-baseline"', 1))
    study = a_study(servers=["go/gin", "go/gin-baseline"], scenarios=["json"])
    catalog = Catalog.with_overlay(tmp_path / "content")
    said = pairs_of(old_run(), study, catalog, tmp_path, tmp_path / "into", silent)
    assert said == "go/gin: another server of the study is called go/gin-baseline"


@pytest.mark.usefixtures("found")
def test_an_old_version_that_cannot_be_built_is_named_as_its_server_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "webdyno.ab.baselines.paired_study.prepare",
        lambda entries, *_, **__: (
            {}, [Skipped(server=entries[0].server_variant.server.build_id, reason="no go")]
        ),
    )  # fmt: skip
    assert asked(tmp_path) == "go/gin: its old version cannot be built here: no go"


def test_why_there_are_no_pairs_is_told(tmp_path: Path) -> None:
    assert asked(tmp_path) == "go/gin: run old does not record its source"
    load = {
        "kind": "closed", "method": "as-published", "generator": "wrk", "connections": 1,
        "duration": "1s",
    }  # fmt: skip
    said = asked(tmp_path, loads=[load], method="as-published")
    assert said == "its loads run once, as published"
