"""Runs with an objective over time: each load is compared by what its verdicts judge it by."""

from __future__ import annotations

from datetime import timedelta

import pytest

from support.searched_trials import a_study, trials
from support.small_run import a_run
from webdyno.errors import UserError
from webdyno.run.comparison.compare import compare_runs
from webdyno.run.comparison.history import history_of
from webdyno.run.comparison.history_document import MACHINE
from webdyno.store.records import RunRecord, now
from webdyno.store.stored_study import StoredStudy

AT, CLOSED = "p99 < 100ms", "closed-8"


def searched(id_: str, metrics: list[str], speed: float = 1.0, p99_us: float = 60.0) -> RunRecord:
    """A run under a load with an objective and a closed one. `speed` times the capacity, and the
    99th percentile of the confirming step; a closed load and the cost of a request never change."""
    seen = []
    for trial in trials(6):
        held, search = trial.measurement, trial.search
        assert held is not None
        assert search is not None
        held = held.model_copy(update={"cpu_us_per_request": {"server": 100.0}})
        closed = trial.model_copy(update={"load": CLOSED, "search": None, "measurement": held})
        latency = held.latency_us.model_copy(update={"p99": p99_us}) if held.latency_us else None
        changes = {"capacity_rps": speed * search.capacity_rps}
        trial.search = search.model_copy(update=changes)
        trial.measurement = held.model_copy(update={"latency_us": latency})
        seen += [trial, closed]
    return a_run(id_, seen, study=StoredStudy.of(a_study(metrics=metrics)))


def test_the_latency_of_a_higher_rate_is_no_regression() -> None:
    metrics = ["throughput_rps", "p99_us"]
    found = compare_runs(searched("old", metrics), searched("new", metrics, 2.0, p99_us=80.0))
    assert not found.regressions
    at_objective = [row for row in found.rows if row.load == AT]
    assert {(row.metric, row.change and row.change.outcome) for row in at_objective} == {
        ("capacity_rps", "better")
    }
    assert {row.metric for row in found.rows if row.load == CLOSED} == set(metrics)


def test_a_capacity_that_fell_is_a_regression_though_no_metric_names_it() -> None:
    metrics = ["cpu_us_per_request"]
    found = compare_runs(searched("old", metrics), searched("new", metrics, 0.5))
    assert {(row.load, row.metric) for row in found.regressions} == {(AT, "capacity_rps")}
    assert {row.metric for row in found.rows if row.load == AT} == {"capacity_rps", *metrics}


def test_a_load_that_has_no_metric_in_common_is_named() -> None:
    found = compare_runs(searched("old", ["throughput_rps"]), searched("new", ["p99_us"]))
    assert {row.metric for row in found.rows} == {"capacity_rps"}
    assert {(place.load, place.reason) for place in found.refused} == {
        (CLOSED, "its load is judged by other metrics")
    }


def test_a_history_shows_the_capacity_though_it_is_not_listed() -> None:
    runs = [searched(f"run-{day}", ["p99_us"]) for day in range(3)]
    for day, run in enumerate(runs):
        run.started = now() + timedelta(days=day)
    history = history_of(runs, "capacity_rps")
    assert {place.load for place in history.places if place.entry != MACHINE} == {AT}
    assert history.left_out == [
        f"{entry}, json, {CLOSED}: no usable trial in 3 of 3 runs (its load is judged by p99_us)"
        for entry in ("node/http", "go/gin")
    ]
    # What the objective itself sets is no figure of a server.
    history = history_of(runs, "p99_us")
    assert {place.load for place in history.places if place.entry != MACHINE} == {CLOSED}
    with pytest.raises(UserError, match="no run of study 'mine' has the metric 'p50_us'"):
        history_of(runs, "p50_us")
