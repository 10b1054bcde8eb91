"""Servers that give answers again, near or far apart: all answers of the load are compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.catalog.loads.load import Iterations
from webdyno.generators.engine import Engine
from webdyno.generators.result import DistinctAnswers, LoadResult
from webdyno.trial.proof.distinct import expect_distinct
from webdyno.verifier import Mismatch

Stage = Any


def loaded(stage: Stage) -> LoadResult:
    """The engine's result of 4,000 requests, once the server is warm enough to cheat."""
    stage.verify("before")
    for each in (40, 200):
        load = Iterations(kind="iterations", users=20, iterations=each)
        result = Engine().run(stage.job(load=load, moves=False))
    assert result.counts.ok == 4000, result.errors_detail
    stage.verifier.phase = "during"
    return result


# Scenario, cheat, and how many of 4,000 answers at least repeat an earlier one.
CAUGHT = [
    ("json", "large-pool", 10),
    ("json", "twice", 1990),
    ("json", "rotations", 3500),
    ("blog", "shown-twice", 1990),
]


@pytest.mark.parametrize(("scenario", "cheat", "least"), CAUGHT)
def test_answers_given_again_are_caught_by_name(
    stage: Callable[..., Stage], scenario: str, cheat: str, least: int
) -> None:
    cheating = stage(scenario, cheat)
    result = loaded(cheating)
    with pytest.raises(Mismatch) as found:
        expect_distinct(cheating.verifier, cheating.scenario, result)
    says = r"none of 4000 answers of the load is repeated, whatever the order .*: (\d+) of 4000"
    told = re.search(says, str(found.value))
    assert told, found.value
    assert int(told[1]) >= least


@pytest.mark.parametrize("scenario", ["json", "blog"])
def test_an_honest_server_gives_no_answer_again(stage: Callable[..., Stage], scenario: str) -> None:
    honest = stage(scenario)
    result = loaded(honest)
    expect_distinct(honest.verifier, honest.scenario, result)
    [found] = result.distinct
    assert found == DistinctAnswers(request=scenario, answers=4000, kept=4000, one_in=1, repeated=0)
    assert honest.verifier.evidence[-1].detail.startswith("0 of 4000 had occurred before, ")
