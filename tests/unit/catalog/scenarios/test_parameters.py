"""Parameters of a scenario, in its own manifest and in a study's: numbers that can be passed on."""

from __future__ import annotations

import math
from typing import Any

import pytest

from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError

SCENARIO: dict[str, Any] = {
    "name": "s", "title": "t", "description": "d", "requests": [{"name": "a", "path": "/"}],
}  # fmt: skip
STUDY: dict[str, Any] = {
    "name": "s", "title": "t", "question": "q", "servers": ["node/http"],
    "loads": [{"kind": "closed", "duration": "1s"}],
}  # fmt: skip


def study_of(*counts: Any, **of_cost: Any) -> StudyManifest:
    entries = [
        {"name": "middleware", "label": str(place), "parameters": {"count": count}}
        for place, count in enumerate(counts)
    ]
    cost = {"scenario": "middleware", "parameter": "count", "each": "layer", **of_cost}
    return parse_manifest(
        {**STUDY, "scenarios": entries, "costs": [cost]}, StudyManifest, "bad.toml"
    )


@pytest.mark.parametrize("more", [{}, {"steps": ["a", "b"]}])
@pytest.mark.parametrize(
    ("value", "said"),
    [
        (math.inf, "must be a finite number (got inf)"),
        (-math.inf, "must be a finite number (got -inf)"),
        (math.nan, "must be a finite number (got nan)"),
        (10**400, "must be a whole number that 64 bits can hold (got 1000000"),
        (2**63, "must be a whole number that 64 bits can hold (got 9223372036854775808)"),
        ([1, [math.nan]], "must be a finite number"),
        ({"deep": {"n": 10**30}}, "must be a whole number that 64 bits can hold"),
    ],
)
def test_a_number_that_cannot_be_passed_on_is_refused_by_its_key(
    value: Any, said: str, more: dict[str, Any]
) -> None:
    with pytest.raises(UserError) as caught:
        study_of(1, value, **more)
    told = str(caught.value)
    assert told.startswith(f"bad.toml: key 'parameters.count' in the second [[scenarios]]: {said}")
    with pytest.raises(UserError) as caught:
        parse_manifest({**SCENARIO, "parameters": {"n": value}}, ScenarioManifest, "bad.toml")
    assert str(caught.value).startswith(f"bad.toml: key 'parameters.n': {said}")


def test_all_others_stay_as_they_are() -> None:
    kept = {"n": -(2**63), "m": 2**63 - 1, "x": 1e308, "t": "1", "b": True, "l": [1, {"a": "b"}]}
    read = parse_manifest({**SCENARIO, "parameters": kept}, ScenarioManifest, "good.toml")
    assert read.parameters == kept
    assert study_of(1, 2.5).levels(study_of(1, 2.5).costs[0]) == {"0": 1.0, "1": 2.5}
