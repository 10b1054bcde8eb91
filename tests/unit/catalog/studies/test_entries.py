"""A scenario that a study enters more than once, with other parameters."""

from __future__ import annotations

from typing import Any

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.study.plan import cells_of


def study(*scenarios: Any, **more: Any) -> StudyManifest:
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
        **more,
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


def test_a_verdict_may_have_a_confidence_of_its_own() -> None:
    found = study("hello", confidence=0.9, confidences={"a": {"p99_us": 0.99}})
    assert found.confidence_of("a", "p99_us") == 0.99
    assert found.confidence_of("a", "throughput_rps") == 0.9
    assert found.confidence_of("b", "p99_us") == 0.9


@pytest.mark.parametrize(
    ("confidences", "told"),
    [
        ({"c": {"p99_us": 0.99}}, "load 'c' is not one of a, b"),
        ({"a": {"p99_us": 1.0}}, "p99_us under 'a' is 1; it must lie between 0.5 and 1"),
        ({"a": {"p98_us": 0.99}}, "p98_us"),
    ],
)
def test_a_confidence_of_nothing_is_refused(
    confidences: dict[str, dict[str, float]], told: str
) -> None:
    with pytest.raises(UserError, match=told):
        study("hello", confidences=confidences)
