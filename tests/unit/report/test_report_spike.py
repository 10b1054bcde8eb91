"""What an open load adds to the report: how it was fitted, its schedule, every ending, shares."""

from __future__ import annotations

from functools import partial

import pytest

from support.study_with import study_with
from support.synthetic_run import build_run
from webdyno.report import summary
from webdyno.report.charts import points as chart_points
from webdyno.report.formats.html import render_html
from webdyno.report.tables.endings import endings
from webdyno.report.tables.published import tables
from webdyno.report.text import loads
from webdyno.run.comparison.comparable import likeness
from webdyno.store.counts import RequestCounts
from webdyno.store.records import FittedLoadRecord, RunRecord
from webdyno.store.stored_study import PublishedFigure

pytestmark = pytest.mark.slow


def spike() -> RunRecord:
    run = build_run(blocks=2, seconds=6, load="spike")
    run.study = study_with(
        run.study,
        {"loads": [{"kind": "open", "name": "spike", "phases": ["150/s:60s", "300/s:60s"]}]},
    )
    run.fitted_loads = [
        FittedLoadRecord(
            scenario="json",
            load="spike",
            rate_factor=0.26,
            time_factor=0.5,
            slowest="go/net-http",
            carried_rps={"go/net-http": 100.0},
            asked=["150/s:60s", "300/s:60s"],
            given=["39/s:30s", "78/s:30s"],
        )
    ]
    return run


def test_how_the_load_was_fitted_is_said() -> None:
    run = spike()
    said = loads.fitted(run, "json", "spike")
    assert "all rates multiplied by 0.26, for all servers alike" in said
    assert "go/net-http handled 100 req/s" in said
    assert "As run: 39/s for 30s, then 78/s for 30s." in said
    assert loads.fitted(run, "sha256", "spike") == ""
    brief = "39/s for 30s, then 78/s for 30s (fitted to this machine)"
    assert loads.brief(run, "json", "spike") == brief
    assert loads.brief(run, "sha256", "spike").startswith("150/s for 60s, then 300/s for 60s")
    assert "all rates multiplied by 0.26" in render_html(run)


def test_a_heading_has_the_figures_of_a_load_alone() -> None:
    run = build_run(blocks=2, load="visitors")
    run.study = study_with(
        run.study,
        {
            "loads": [
                {
                    "kind": "closed",
                    "name": "visitors",
                    "connections": 9,
                    "duration": 10,
                    "cookies": False,
                }
            ]
        },
    )
    assert "no cookies are kept" in loads.describe(run, "visitors")
    assert loads.brief(run, "json", "visitors") == "9 connections for 10 s"


def test_a_rate_that_no_study_gave_is_not_shown() -> None:
    run = spike()
    run.study = study_with(
        run.study,
        {"loads": [{"kind": "open", "name": "spike", "phases": ["1000000/s:3s"], "scale": "half"}]},
    )
    assert "half of what go/net-http handled here, 100 req/s" in loads.fitted(run, "json", "spike")
    run.fitted_loads = []  # It was not measured.
    assert loads.brief(run, "json", "spike").startswith("half of what the slowest handles, for 3s")
    assert "1000000" not in loads.describe(run, "spike")


def test_runs_of_other_rates_or_limits_did_other_work() -> None:
    old, new = spike(), spike()
    assert likeness((old, new), "json", "spike", ([], []), ()).refusal == ""
    assert new.fitted_loads is not None
    new.fitted_loads[0].given = ["50/s:30s", "100/s:30s"]
    assert (
        "other rates or lengths (39/s:30s, 78/s:30s → 50/s"
        in likeness((old, new), "json", "spike", ([], []), ()).refusal
    )
    assert likeness((old, new), "json", "spike", ([], []), ("work",)).refusal == ""
    new.fitted_loads = None
    assert (
        "39/s:30s, 78/s:30s → as the study says)"
        in likeness((old, new), "json", "spike", ([], []), ()).refusal
    )
    limited = spike()
    limited.limits = "1 CPU asked"
    assert "other limits" in likeness((old, limited), "json", "spike", ([], []), ()).refusal


def test_the_schedule_is_drawn_beside_the_answers_of_an_open_load_only() -> None:
    section = summary.sections(spike())[0]
    entries = [row.entry for row in section.rows]
    assert "offered" in chart_points.of_section(section, entries, scheduled=True)["throughput-time"]
    assert "offered" not in chart_points.of_section(section, entries)["throughput-time"]


def test_percentiles_of_each_second_have_their_charts() -> None:
    run = spike()
    for trial in run.trials:
        for second in trial.measurement.series if trial.measurement else []:
            second.p90_us = 3000.0
            second.p95_us = 0.0  # A second without a right answer.
    section = summary.sections(run)[0]
    found = chart_points.of_section(section, [row.entry for row in section.rows])
    assert {"p50-time", "p90-time", "p99-time", "cpu-time", "memory-time"} <= set(found)
    assert "p95-time" not in found
    assert all(ys == [3.0] * len(ys) for _, _, ys in found["p90-time"]["rows"])


def test_every_ending_adds_up_or_is_said_not_to() -> None:
    run = spike()
    for trial in run.trials:
        if trial.measurement is not None:
            trial.measurement.counts = RequestCounts(
                offered=100, sent=90, ok=60, timed_out=25, reset=5, not_sent=10
            )
    found = endings(summary.sections(run)[0])
    assert found is not None
    assert found.kinds == ("answered", "timed out", "reset", "not sent in time")
    assert all(row.adds_up for row in found.rows)
    assert "The outcome of every request" in render_html(run)
    measured = run.trials[0].measurement
    assert measured is not None
    measured.counts += RequestCounts(reset=1)
    again = [endings(section) for section in summary.sections(run)]
    assert not all(row.adds_up for table in again if table for row in table.rows)


def test_no_table_of_endings_where_all_was_answered() -> None:
    run = spike()
    for trial in run.trials:
        if trial.measurement is not None:
            trial.measurement.counts = RequestCounts(offered=10, sent=10, ok=10)
    assert endings(summary.sections(run)[0]) is None


def test_a_published_share_is_compared_as_it_is_and_a_ratio_has_no_figure() -> None:
    run = spike()
    section = summary.sections(run)[0]
    entry, other = section.rows[0].entry, section.rows[1].entry
    for trial in run.trials:
        if trial.measurement is not None and trial.entry == entry:
            trial.measurement.counts = RequestCounts(offered=200, sent=200, ok=150, timed_out=50)
    json = partial(PublishedFigure, scenario="json")
    share = json(server=entry, metric="timed_out_share", value=0.8725)
    ratios = [
        json(server=name, metric="memory_peak_bytes", value=value, ratio=True)
        for name, value in ((entry, 1), (other, 3))
    ]
    shares, memory = tables(section, [share, *ratios])
    assert (shares.rows[0].value, shares.rows[0].ours) == ("87.2 %", "25.0 %")
    assert [(row.value, row.theirs) for row in memory.rows] == [("–", "1.00x"), ("–", "3.00x")]
