"""The study of a run, read back from what older versions stored."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Load
from webdyno.store.stored_study import StoredLoad, StoredStudy

LOADS: list[dict[str, Any]] = [
    {"kind": "closed", "connections": 64, "duration": 1.0},
    {"kind": "closed", "duration": 1.0},
    {"kind": "closed", "duration": 1.0, "name": "mine"},
    {"kind": "open", "phases": ["10/s:1s", "20/s:1s"]},
    {"kind": "iterations", "users": 3, "iterations": 5},
    {"kind": "objective", "objective": "p99 < 1s"},
]


def test_loads_are_called_as_their_manifests_call_them() -> None:
    manifests: list[Load] = TypeAdapter(list[Load]).validate_python(LOADS)
    study = StoredStudy.model_validate(
        {"loads": [one.model_dump(mode="json") for one in manifests]}
    )
    for place, one in enumerate(manifests):
        assert study.load(one.label()) is study.loads[place]
        assert study.kind_of(one.label()) == one.kind


@pytest.mark.parametrize("name", Catalog().study_names())
def test_every_study_that_ships_is_read_back(name: str) -> None:
    manifest = Catalog().study(name)
    study = StoredStudy.model_validate(manifest.model_dump(mode="json"))
    assert [entry.title for entry in study.scenarios] == [e.title for e in manifest.entries()]
    for asked, load in zip(study.loads, manifest.loads, strict=True):
        assert study.load(load.label()) == asked
        assert asked.as_published == (load.method == "as-published")


def test_keys_that_a_version_did_not_write_have_its_values() -> None:
    study = StoredStudy.model_validate(
        {"scenarios": ["json", {"name": "blog", "label": "a page"}], "loads": [{"kind": "closed"}]}
    )
    assert [entry.title for entry in study.scenarios] == ["json", "a page"]
    assert (study.margin, study.confidence, study.warmup) == (0.03, 0.95, None)
    # The only load is the one that is meant, whatever it was called then.
    assert study.load("closed-100") == study.loads[0]
    assert not study.is_published("closed-100")


def test_a_load_that_no_name_leads_to_is_not_guessed() -> None:
    study = StoredStudy(loads=[StoredLoad(name="a"), StoredLoad(name="b")])
    assert study.load("c") is None
    assert study.kind_of("open-10/s:1s") == "open"
