"""Curves pooled over trials."""

from __future__ import annotations

import pytest

from webdyno.report.charts import series
from webdyno.store.records import RunRecord, SecondOfLoad, TrialRecord


def changed(trial: TrialRecord, **measured: object) -> TrialRecord:
    """`trial` with some of its measurement changed."""
    assert trial.measurement is not None
    return trial.model_copy(update={"measurement": trial.measurement.model_copy(update=measured)})


def seconds(*ok: int, errors: int = 0) -> list[SecondOfLoad]:
    """A series of full seconds."""
    return [SecondOfLoad(second=i, ok=n, errors=errors, p99_us=1000.0) for i, n in enumerate(ok)]


def test_the_median_of_the_trials_at_each_second(run: RunRecord) -> None:
    trials = [
        changed(run.trials[0], series=seconds(*ok), elapsed_s=3.0)
        for ok in ((10, 20, 30), (12, 22, 32), (99, 99, 99))
    ]
    assert series.throughput(trials) == [(0.5, 12), (1.5, 22), (2.5, 32)]


def test_a_short_last_second_is_a_rate_and_a_sliver_is_left_out(run: RunRecord) -> None:
    half = changed(run.trials[0], series=seconds(100, 100, 50), elapsed_s=2.5)
    assert series.throughput([half])[-1] == (pytest.approx(2.25), 100)
    sliver = changed(run.trials[0], series=seconds(100, 100, 3), elapsed_s=2.01)
    assert len(series.throughput([sliver])) == 2


def test_errors_of_a_single_trial_are_not_hidden_by_the_others(run: RunRecord) -> None:
    good = changed(run.trials[0], series=seconds(10, 10), elapsed_s=2.0)
    bad = changed(run.trials[0], series=seconds(10, 10, errors=9), elapsed_s=2.0)
    assert series.errors([good, good]) == []
    assert series.errors([good, good, bad]) == [(0.5, 3.0), (1.5, 3.0)]


def test_long_series_are_thinned(run: RunRecord) -> None:
    long = changed(run.trials[0], series=seconds(*range(1000)), elapsed_s=1000.0)
    curve = series.throughput([long])
    assert len(curve) == series.POINTS
    assert curve[0][0] < curve[-1][0] <= 1000
    assert len(series.spark(long.measurement)) == 40  # type: ignore[arg-type]


def test_trials_without_a_measurement_make_no_curve(run: RunRecord) -> None:
    bare = [run.trials[0].model_copy(update={"measurement": None, "warmup": None})]
    for curve in (
        series.throughput,
        series.errors,
        series.latency("p99"),
        series.cpu,
        series.memory,
    ):
        assert curve(bare) == []
    assert series.warm_up(bare) == []
    assert series.steady_after(bare) is None


def test_steady_only_where_most_trials_were(run: RunRecord) -> None:
    trials = [t for t in run.trials if t.entry == "go/net-http" and t.scenario == "json"]
    assert series.steady_after(trials) == 0.4
    never = [t for t in run.trials if t.entry == "java/servlet"]
    assert series.steady_after(never) is None
