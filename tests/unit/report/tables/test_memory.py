"""Memory and threads in the reports: the table, and the bars on one scale."""

from __future__ import annotations

import pytest

from support.output_schemas import validate
from support.study_with import study_with
from support.synthetic_run import build_run
from webdyno.report.charts import bars as bar_charts
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import export
from webdyno.report.tables import memory
from webdyno.store.findings import ServerRecord
from webdyno.store.records import BuildTimesRecord, RunRecord

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run() -> RunRecord:
    """Two loads, closed-64 and closed-100, the second with twice the memory and a thread more."""
    made = build_run(blocks=2, seconds=2)
    more = build_run(blocks=2, seconds=2, load="closed-100")
    for trial in [*made.trials, *more.trials]:
        if trial.measurement is not None:
            held = trial.measurement.memory_bytes
            held.start, held.idle = 20e6 + trial.block * 2e6, 30e6
            held.peak = 50e6 if trial.load == "closed-64" else 100e6
            trial.measurement.threads_peak = 4 if trial.load == "closed-64" else 5
    made.trials += more.trials
    return made


def test_start_rest_and_each_peak_stand_on_one_scale(run: RunRecord) -> None:
    found = memory.table(run)
    assert found.columns == ("At start", "At rest", "Peak, closed-64", "Peak, closed-100")
    assert [group.scenario for group in found.groups] == ["json", "sha256"]
    lines = {line.entry: line for line in found.groups[0].lines}
    start, rest, low, high = lines["go/net-http"].cells
    assert (start.text, start.spread, start.part) == ("21.0 MB", "20.0 MB to 22.0 MB", 0.21)
    assert (rest.part, low.part, high.part) == (0.3, 0.5, 1.0)
    assert lines["go/net-http"].threads == "4 to 5"


def test_neither_the_control_nor_a_failed_trial_counts(run: RunRecord) -> None:
    failed = [trial for trial in run.trials if trial.status != "ok"]
    assert failed
    assert any(trial.control for trial in run.trials)
    counted = [t for found in (memory.by_entry(run, "json"),) for ts in found.values() for t in ts]
    assert len(counted) == sum(
        trial.scenario == "json" and trial.status == "ok" and not trial.control
        for trial in run.trials
    )


def test_a_record_without_memory_at_start_has_no_such_column() -> None:
    old = build_run(blocks=2, seconds=2)
    assert all(t.measurement.memory_bytes.start is None for t in old.trials if t.measurement)
    assert memory.table(old).columns == ("At rest", "Peak, closed-64")


def test_the_page_and_the_export_hold_them(run: RunRecord) -> None:
    page = render_html(run)
    assert 'href="#memory"' in page
    assert "20.0 MB to 22.0 MB" in page
    exported = export(run)
    validate("run", exported)
    held = [t["memory_bytes"]["start"] for t in exported["trials"] if t["status"] == "ok"]
    assert set(held) == {20e6, 22e6}


def test_the_heap_that_was_asked_for_stands_beside(run: RunRecord) -> None:
    entry = run.trials[0].entry
    asked = {"heap": "-Xmx512m (by default: a quarter of it)"}
    stated = ServerRecord(entry=entry, framework="f", framework_version="1", parts=asked)
    with_heap = run.model_copy(update={"servers": [stated]})
    lines = [line for group in memory.table(with_heap).groups for line in group.lines]
    assert {line.entry: line.heap for line in lines if line.heap} == {entry: asked["heap"]}
    assert "heap: -Xmx512m (by default: a quarter of it)" in render_html(with_heap)


def test_a_bar_a_load_with_its_range(run: RunRecord) -> None:
    entries = ["node/http", "go/net-http"]
    views = bar_charts.views(run, entries)
    assert [view.title for view in views] == ["json", "sha256"]
    assert sorted(views[0].entries) == sorted(entries)
    rows = {
        kind: {row[0]: row[1:] for row in data["rows"]} for kind, data in views[0].points.items()
    }
    assert rows["bars-memory"][1] == [
        ["At start", "Peak, closed-64", "Peak, closed-100"],
        [21, 50, 100], [20, 50, 100], [22, 50, 100],
    ]  # fmt: skip
    assert rows["bars-threads"][0][:2] == [["closed-64", "closed-100"], [4, 5]]
    mine = [
        trial.measurement.throughput_rps
        for trial in run.trials
        if trial.entry == "go/net-http" and not trial.control and trial.measurement
        and (trial.scenario, trial.load) == ("json", "closed-64")
    ]  # fmt: skip
    assert rows["bars-throughput"][1][2][0] == pytest.approx(min(mine), rel=1e-3)


def test_loads_stand_in_the_studys_order_whatever_came_first(run: RunRecord) -> None:
    other = run.model_copy(deep=True)
    other.study = study_with(
        other.study,
        {
            "loads": [
                {"kind": "closed", "name": name, "connections": 1, "duration": 1.0}
                for name in ("closed-100", "closed-64")
            ]
        },
    )
    assert memory.table(other).columns[2:] == ("Peak, closed-100", "Peak, closed-64")
    bars = bar_charts.views(other, ["go/net-http"])[0].points["bars-threads"]["rows"]
    assert bars == [[0, ["closed-100", "closed-64"], [5, 4], [5, 4], [5, 4]]]


def test_a_schedule_has_no_bar_of_throughput(run: RunRecord) -> None:
    open_run = run.model_copy(deep=True)
    for trial in open_run.trials:
        trial.load = "spike"
    open_run.study = study_with(
        open_run.study, {"loads": [{"kind": "open", "name": "spike", "phases": ["100/s:2s"]}]}
    )
    found = bar_charts.views(open_run, ["go/net-http"])[0]
    assert found.kinds == ("bars-memory", "bars-threads")


def test_a_build_stands_for_the_server_itself_or_for_the_first_of_its_variants() -> None:
    run = build_run(blocks=2, seconds=2)
    run.build_times = [
        BuildTimesRecord(server="node/express", clean_s=[3.0, 1.0, 2.0], incremental_s=[0.5]),
        BuildTimesRecord(server="node/http", note="nothing is built"),
        BuildTimesRecord(server="swift/vapor", clean_s=[9.0]),
    ]
    figures = [["clean", "incremental"], [2, 0.5], [1, 0.5], [3, 0.5]]
    for entries, place in (
        (["node/http", "node/express@cluster", "node/express"], 2),
        (["node/http", "node/express@cluster", "node/express@x"], 1),
    ):
        found = bar_charts.views(run, entries)[-1]
        assert found.title == "Building"
        assert found.points["bars-build"]["rows"] == [[place, *figures]]


def test_the_build_for_another_runtime_is_that_of_its_own_variant() -> None:
    run = build_run(blocks=2, seconds=2)
    run.build_times = [
        BuildTimesRecord(server="kotlin/ktor", clean_s=[3.0]),
        BuildTimesRecord(server="kotlin/ktor@jdk-25", clean_s=[9.0]),
    ]
    entries = ["kotlin/ktor@jdk-25", "kotlin/ktor@cluster"]
    rows = bar_charts.views(run, entries)[-1].points["bars-build"]["rows"]
    assert [(row[0], row[2]) for row in rows] == [(1, [3]), (0, [9])]


def test_a_run_without_trials_says_nothing_of_it() -> None:
    run = build_run(blocks=1, seconds=1)
    run.trials = []
    page = render_html(run)
    assert 'id="memory"' not in page
    assert 'id="one-scale"' not in page
