"""A scenario that a study enters more than once, with other parameters."""

from __future__ import annotations

from typing import Any

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.study.plan import cells_of


def study(*scenarios: Any) -> StudyManifest:
    loads = [
        {"kind": "closed", "name": name, "connections": 1, "duration": "1s"} for name in ("a", "b")
    ]
    data = {
        "name": "s",
        "title": "t",
        "question": "q",
        "servers": ["node/koa"],
        "scenarios": list(scenarios),
        "loads": loads,
    }
    return parse_manifest(data, StudyManifest, "s.toml")


def test_each_entry_has_its_own_title_and_loads() -> None:
    found = study(
        {"name": "middleware", "label": "five", "parameters": {"count": 5}},
        {"name": "middleware", "label": "none", "parameters": {"count": 0}, "loads": ["b"]},
        "hello",
    )
    cells = [(cell.title, cell.load.label()) for cell in cells_of(found, Catalog())]
    assert cells == [("five", "a"), ("five", "b"), ("none", "b"), ("hello", "a"), ("hello", "b")]


def test_two_entries_of_one_title_are_refused() -> None:
    with pytest.raises(UserError, match="'hello' is entered twice; give each its own 'label'"):
        study("hello", {"name": "hello", "parameters": {"answers": 3}})


def test_a_load_that_is_not_there_is_refused() -> None:
    with pytest.raises(UserError, match="'hello' names load 'c'; choose from a, b"):
        study({"name": "hello", "loads": ["c"]})
