"""Studies that ask for the rate at an objective: what they accept, and what they conclude."""

from __future__ import annotations

from typing import Any

import pytest

from support.searched_trials import a_study, a_trial, trials
from webdyno.run.judgement.judge import judge, still_needed
from webdyno.run.judgement.unrankable import why_unrankable


def test_capacities_are_compared_in_pairs_with_intervals() -> None:
    (verdict,) = judge(a_study(), trials(4))
    assert verdict.metric == "capacity_rps"
    assert verdict.groups == [["go/gin"], ["node/http"]]
    (ratio,) = verdict.ratios
    assert ratio.low < 3 < ratio.high
    assert ratio.low > 2.5
    low, high = verdict.intervals["go/gin"]
    assert low < 3_000 < high
    assert verdict.medians["go/gin"] == pytest.approx(3_000, rel=0.02)
    assert not still_needed(a_study(), trials(6))


def test_cost_at_the_capacity_is_judged_too_but_not_what_the_objective_sets() -> None:
    study = a_study(metrics=["throughput_rps", "p99_us", "cpu_us_per_request"])
    assert [verdict.metric for verdict in judge(study, trials(4))] == [
        "capacity_rps",
        "cpu_us_per_request",
    ]
    assert study.metrics_of("closed-8") == ["throughput_rps", "p99_us", "cpu_us_per_request"]
    only = a_study(metrics=["capacity_rps"])
    assert only.metrics_of("closed-8") == ["throughput_rps"]


def test_one_that_never_meets_it_is_named_with_the_reason() -> None:
    (verdict,) = judge(a_study(), trials(4, gin="not-met"))
    assert verdict.groups == [["node/http"]]
    (left,) = verdict.not_ranked
    assert left.reason == "does not meet p99 < 100ms at any rate: at 100/s 5% were late"


def test_one_that_the_generator_limited_is_told_as_at_least() -> None:
    (verdict,) = judge(a_study(), trials(4, gin="at-least"))
    (left,) = verdict.not_ranked
    assert left.reason.startswith("at least 2,9")
    assert "generator" in left.reason


@pytest.mark.parametrize(
    ("load", "message"),
    [
        ({"objective": "fast"}, "is not an objective; write it like p99 < 100ms"),
        ({"errors": "none"}, "write it like < 0.1%"),
        ({"max_rate": "lots"}, "is not a rate"),
        ({"method": "as-published"}, "leave 'method' out"),
        ({"generator": "wrk"}, "leave 'generator' out"),
    ],
)
def test_a_load_that_cannot_be_made_is_refused(load: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        a_study(load)


def test_a_step_is_an_open_load_that_does_not_wait_for_ever() -> None:
    (_, load) = a_study().loads
    assert load.kind == "objective"
    step = load.at(1234.5678, 2.0)
    assert (step.parsed()[0].rps, step.parsed()[0].duration_s) == (1234.5678, 2.0)
    assert (step.arrivals, step.connections, step.timeout) == ("poisson", 256, 2.0)


def test_what_the_generator_could_not_make_is_no_failure_of_the_server() -> None:
    trials = [a_trial("node/http", block, 400.0, "undecided") for block in range(3)]
    assert why_unrankable("node/http", trials) == ""
    for trial in trials:
        assert trial.search is not None
        trial.search.capacity_rps = 0.0
    assert why_unrankable("node/http", trials) == "no rate was found: at 100/s 5% were late"
