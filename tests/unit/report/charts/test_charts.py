"""The charts of a report: only those that show something, valid, and on scales that show it."""

from __future__ import annotations

from typing import Any

import pytest
from altair.utils import schemapi

from support.synthetic_run import build_run
from webdyno.report import summary
from webdyno.report.charts import bars as bar_charts
from webdyno.report.charts import interactive as charts
from webdyno.report.charts import points as chart_points
from webdyno.report.charts import rates as rate_charts
from webdyno.report.charts import series

pytestmark = pytest.mark.slow

LONG, SHORT = build_run(blocks=2, seconds=6), build_run(blocks=2, seconds=2)


def points(run: object) -> dict[str, dict[str, list[Any]]]:
    section = summary.sections(run)[0]  # type: ignore[arg-type]
    return chart_points.of_section(section, [row.entry for row in section.rows])


def test_every_specification_is_valid_vega_lite() -> None:
    # Reports leave the checks out; here Altair makes them, of each chart and of its parts.
    assert schemapi.DEBUG_MODE
    kinds = {
        "latency",
        "warm-up",
        *chart_points.OVER_TIME,
        *rate_charts.AGAINST_RATE,
        *bar_charts.KINDS,
    }
    made = charts.specifications(LONG, ["a", "b"], kinds)
    assert set(made) == kinds
    with charts.without_checks():
        assert charts.specifications(LONG, ["a", "b"], kinds) == made
    assert schemapi.DEBUG_MODE


def test_only_what_is_asked_for_is_made() -> None:
    assert set(charts.specifications(LONG, ["a"], {"latency"})) == {"latency"}


def test_a_short_load_has_no_charts_over_time() -> None:
    assert {"throughput-time", "cpu-time"} <= set(points(LONG))
    assert [kind for kind in points(SHORT) if kind in chart_points.OVER_TIME] == []


def test_a_cold_start_is_seen_whatever_the_servers_speed() -> None:
    trial = LONG.trials[0]
    assert trial.warmup is not None
    for speed in (100.0, 1e6):
        ticks = [(0.1 * at, speed * (0.05 if at <= 10 else 1.0)) for at in range(1, 41)]
        cold = trial.model_copy(
            update={"warmup": trial.warmup.model_copy(update={"ticks": ticks, "steady": True})}
        )
        shares = [share for _, share in series.warm_up([cold])]
        assert shares[0] == pytest.approx(5)
        assert shares[-1] == pytest.approx(100)


def test_what_is_steady_from_its_first_request_on_has_its_mark_on_the_curve() -> None:
    """At zero there is no place for it: the axis is logarithmic."""
    trials = [
        one.model_copy(update={"warmup": one.warmup.model_copy(update={"steady_after_s": 0.0})})
        for one in LONG.trials
        if one.warmup is not None
    ]
    warm_up = points(LONG.model_copy(update={"trials": trials}))["warm-up"]
    assert warm_up["steady"]
    curves = {entry: list(zip(xs, ys, strict=True)) for entry, xs, ys in warm_up["rows"]}
    for entry, (x,), (y,) in warm_up["steady"]:
        assert x > 0
        assert (x, y) in curves[entry]


def test_a_warm_up_without_answers_has_no_curve() -> None:
    trial = LONG.trials[0]
    assert trial.warmup is not None
    silent = trial.warmup.model_copy(update={"ticks": [(0.1, 0.0), (0.2, 0.0), (0.3, 0.0)]})
    assert series.warm_up([trial.model_copy(update={"warmup": silent})]) == []


def test_every_trial_that_counts_is_a_mark_in_its_row() -> None:
    for section in summary.sections(LONG):
        for row in section.rows:
            assert len(row.rates) == row.good
