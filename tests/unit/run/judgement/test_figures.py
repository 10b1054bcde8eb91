"""Peak threads as a metric of a study."""

from __future__ import annotations

import math

import pytest

from support.small_study import a_trial
from support.synthetic_run import build_run
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.judgement.figures import value_of
from webdyno.run.judgement.judge import judge, still_needed

STUDY = StudyManifest.model_validate(
    {
        "name": "small",
        "title": "Small",
        "question": "Who needs fewer threads?",
        "servers": ["go/net-http", "node/http", "node/fastify"],
        "scenarios": ["json"],
        "loads": [{"kind": "closed", "name": "closed-64", "connections": 64, "duration": "1s"}],
        "metrics": ["threads_peak"],
        "blocks": {"min": 4, "max": 4},
    }
)


def test_the_fewest_threads_come_first_and_equals_share_a_place() -> None:
    trials = [
        trial
        for trial in build_run(blocks=4, seconds=1).trials
        if trial.scenario == "json" and not trial.control and trial.entry in STUDY.servers
    ]
    threads = {"go/net-http": 7, "node/http": 11, "node/fastify": 11}
    for trial in trials:
        assert trial.measurement is not None
        trial.measurement.threads_peak = threads[trial.entry]
    (verdict,) = judge(STUDY, trials)
    assert verdict.medians == threads
    assert [sorted(group) for group in verdict.groups] == [
        ["go/net-http"],
        ["node/fastify", "node/http"],
    ]
    assert still_needed(STUDY, trials) == set()


def test_a_load_that_no_sample_fell_into_has_no_figure() -> None:
    trial = build_run(blocks=1, seconds=1).trials[0]
    assert trial.measurement is not None
    trial.measurement.threads_peak = 0
    assert math.isnan(value_of(trial, "threads_peak"))


@pytest.mark.parametrize("figure", [1e308, 5e-324, math.inf])
def test_a_figure_that_nothing_can_have_is_none(figure: float) -> None:
    trial = a_trial("go/gin", 0, 1000.0)
    assert trial.measurement is not None
    trial.measurement.throughput_rps = figure
    assert math.isnan(value_of(trial, "throughput_rps"))
