"""What the engine is told of a job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.job import Job
from webdyno.generators.job_spec import spec_of


def job(keeps: bool, **load: object) -> Job:
    given = {
        "name": "some",
        "title": "t",
        "description": "d",
        "cookies": keeps,
        "requests": [{"name": "visit", "path": "/"}],
    }
    return Job(
        scenario=ScenarioManifest.model_validate(given),
        load=Closed.model_validate({"kind": "closed", "connections": 2, "duration": 1, **load}),
        port=4000,
        cpus=(),
        seed=7,
    )


@pytest.mark.parametrize(
    ("scenario", "load", "cookies", "visits"),
    [
        (True, {}, True, None),
        (True, {"visits": 10}, True, 10),
        # A user whose cookies are not kept is somebody else at each visit.
        (True, {"cookies": False}, False, 1),
        (False, {}, False, None),
        (False, {"cookies": False}, False, None),
    ],
)
def test_users_stay_or_change(
    scenario: bool, load: dict[str, object], cookies: bool, visits: int | None
) -> None:
    told = spec_of(job(scenario, **load))
    assert told.cookies is cookies
    assert told.visits == visits


def test_requests_are_recorded_only_where_that_is_asked_for() -> None:
    assert spec_of(job(False)).record is None
    assert spec_of(replace(job(False), record=Path("x.jtl"))).record == "x.jtl"
