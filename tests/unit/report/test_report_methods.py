"""Both methods beside the published figures; costs, differences and servers in the report."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from support.not_separated import not_separated
from support.output_schemas import validate
from support.study_with import study_with
from support.synthetic_run import build_run
from webdyno.report import summary
from webdyno.report.formats import json_export
from webdyno.report.formats.html import render_html
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.formats.terminal import render
from webdyno.report.tables import costs, methods, published, servers
from webdyno.report.text import answer_differences as unlike
from webdyno.store.findings import (
    CostPoint,
    CostRecord,
    DifferenceRecord,
    EntryCost,
    ServerRecord,
    StackStep,
)
from webdyno.store.records import RunRecord

pytestmark = pytest.mark.slow

FIGURES = [
    {"server": "node/http", "scenario": "json", "metric": "throughput_rps", "value": 1000.0},
    {"server": "node/express", "scenario": "json", "metric": "throughput_rps", "value": 2000.0},
]


def both() -> RunRecord:
    """A run of one block by wrk, as published, and five sound ones."""
    sound = build_run(scenarios=("json",))
    old = build_run(blocks=1, scenarios=("json",), load="wrk-100", seed=3)
    for trial in old.trials:
        trial.warmup, trial.evidence = None, []
        trial.status, trial.reason = "ok", ""
        trial.counted = {"rows inserted": 100, "rows updated": 0}
    for trial in sound.trials:
        trial.counted = {"rows inserted": 2, "rows updated": 98}
        trial.held = {"database connections": 16 if trial.server != "node/http" else 4}
    study = study_with(sound.study, {"method": "both", "published": FIGURES, "loads": [
            {
                "name": "wrk-100", "kind": "closed", "connections": 100, "duration": 10.0,
                "method": "as-published", "generator": "wrk", "cookies": False,
            },
            {
                "name": "closed-64", "kind": "closed", "connections": 64, "duration": 10.0,
                "method": "sound", "generator": "engine", "visits": 10,
            },
        ]})  # fmt: skip
    return sound.model_copy(
        update={
            "study": study,
            "trials": [*old.trials, *sound.trials],
            "verdicts": [*old.verdicts, *sound.verdicts],
        }
    )


def view_of(run: RunRecord) -> methods.MethodsView:
    found = methods.methods(run, summary.sections(run), published.figures(run))
    assert found is not None
    return found


def test_a_run_of_one_method_has_nothing_to_set_side_by_side() -> None:
    run = build_run(scenarios=("json",))
    assert methods.methods(run, summary.sections(run), published.figures(run)) is None


def test_what_was_missed_comes_from_what_the_verifier_counted() -> None:
    run = both()
    missed = " ".join(view_of(run).missed)
    assert "none of its 800 answers is among the rows updated" in missed
    assert "98% of the answers are" in missed
    assert "first, slowest requests" in missed
    assert "wrk accepts every answer with a good status" in missed
    for trial in run.trials:
        trial.counted = {"rows inserted": 5, "rows updated": 5}
    assert "rows updated" not in " ".join(view_of(run).missed)


def test_both_methods_stand_side_by_side() -> None:
    facts = {row.label: (row.as_published, row.sound) for row in view_of(both()).facts}
    assert facts["Trials of a server"] == ("1", "5")
    assert "no cookies are kept" in facts["Load"][0]
    assert (
        "each user is replaced by a new one, without cookies, after 10 visits" in facts["Load"][1]
    )
    assert facts["Warm-up"][0].startswith("none")
    assert "100%" in facts["Work that the answers did"][0]


def test_published_ratios_stand_beside_ours_under_each_load_with_places() -> None:
    [table] = view_of(both()).tables
    assert (table.reference, table.columns) == ("node/http", ("wrk-100", "closed-64"))
    http, express = table.rows
    assert http.theirs == "1.00x, place 2"
    assert express.theirs == "2.00x, place 1"
    # The other way round here; what was made once has no place.
    assert [place for _, place in express.cells] == ["", "place 2"]
    assert express.cells[1][0].startswith("0.4")
    assert table.changes == ""


def test_places_of_both_methods_are_those_of_the_verdict() -> None:
    run = both()
    run.study = study_with(run.study, {"published": [
        *FIGURES, {**FIGURES[0], "server": "go/net-http"}, {**FIGURES[0], "server": "rust/axum"}
    ]})  # fmt: skip
    sound = run.verdicts[-1]
    assert "rust/axum" in {left.entry for left in sound.not_ranked}
    sound.groups = [["go/net-http", "node/http"], ["node/express"]]
    sound.ratios = [not_separated(pair, "go/net-http", "node/http") for pair in sound.ratios]
    [table] = view_of(run).tables
    places = {row.entry: row.cells[1][1] for row in table.rows}
    assert places == {
        "go/net-http": "place 1 (tie)", "node/http": "place 1 (tie)", "node/express": "place 3",
        "rust/axum": "",
    }  # fmt: skip


def test_the_lowest_latency_is_in_the_first_place() -> None:
    run = both()
    slow_and_fast = zip(("node/http", "node/express"), (9000.0, 4000.0), strict=True)
    run.study = study_with(
        run.study,
        {
            "published": [
                {"server": server, "scenario": "json", "metric": "p99_us", "value": value}
                for server, value in slow_and_fast
            ]
        },
    )
    [table] = view_of(run).tables
    assert [row.theirs.partition(", ")[2] for row in table.rows] == ["place 2", "place 1"]
    rows = next(one.rows for one in summary.sections(run) if one.load == "closed-64")
    ours = {row.entry: row.medians["p99_us"] or 0.0 for row in rows}
    fastest = min(table.rows, key=lambda row: ours[row.entry])
    assert fastest.cells[1][1] == "place 1"


def test_values_and_bare_ratios_of_a_metric_have_a_table_each() -> None:
    run = both()
    figure = {"scenario": "json", "metric": "cpu_us_per_request"}
    run.study = study_with(
        run.study,
        {
            "published": [
                {**figure, "server": "node/http", "value": 300.0},
                {**figure, "server": "node/express", "value": 600.0},
                {**figure, "server": "node/express", "value": 1.0, "ratio": True},
                {**figure, "server": "java/servlet", "value": 4.0, "ratio": True},
            ]
        },
    )
    values, ratios = view_of(run).tables
    assert values.columns == ratios.columns == ("wrk-100", "closed-64")
    assert [row.theirs for row in values.rows] == ["1.00x, place 1", "2.00x, place 2"]
    assert [row.entry for row in ratios.rows] == ["node/express", "java/servlet"]
    assert [row.theirs for row in ratios.rows] == ["1.00x, place 1", "4.00x, place 2"]


def with_findings() -> RunRecord:
    run = build_run(scenarios=("json",))
    line = [CostPoint(at=at, cost_ns=40_000 + 250 * at, trials=5) for at in (0, 5, 20)]
    sloped = EntryCost(
        entry="node/http", points=line, each_ns=250.4, low_ns=-1.5, high_ns=1502.0,
        none_ns=40_000.0, misfit_ns=300.0, blocks=5,
    )  # fmt: skip
    unknown = EntryCost(entry="node/express", points=line[:2])
    steps = [StackStep(name="jsonp", at=1, cost_ns=4100, low_ns=3000, high_ns=5200, blocks=5)]
    first = StackStep(name="logger", at=2, cost_ns=900, blocks=1)
    same: dict[str, Any] = {"load": "closed-64", "each": "middleware", "confidence": 0.95}
    run.costs = [
        CostRecord(scenario="m", parameter="count", entries=[sloped, unknown], **same),
        CostRecord(
            scenario="s",
            parameter="depth",
            entries=[
                EntryCost(entry="node/http", points=line, steps=[*steps, first]),
                EntryCost(entry="node/express", points=line, steps=steps),
            ],
            **same,
        ),
    ]
    groups = [("not sent", ["node/express", "node/http"]), ("<b>", ["go/net-http"])]
    few = DifferenceRecord(scenario="json", load="closed-64", what="x-a", groups=groups)
    run.differences = [
        few,
        few.model_copy(update={"scenario": "hello"}),
        few.model_copy(update={"what": "vary", "why": "it is negotiated"}),
    ]
    run.servers = [
        ServerRecord(entry="node/http", framework="Node", framework_version="20", pool="4 of 16")
    ]
    return run


def test_slopes_and_steps_as_text() -> None:
    slope, stack = costs.views(with_findings())
    http, express = slope.slopes
    assert (http.each, http.interval) == ("250 ns", "[-2, 1,502]")
    assert (http.none, http.misfit) == ("40.0 µs", "0.3 µs")
    assert express.each == "not yet known"
    assert [row.name for row in stack.steps] == ["jsonp", "logger"]
    assert stack.steps[0].cells[0] == ("4.1 µs", "[3.0, 5.2]")
    assert stack.steps[1].cells == (("0.9 µs", "one block"), ("–", ""))


def test_the_same_difference_is_told_once_and_work_first() -> None:
    first, second = unlike.difference_texts(with_findings())
    assert (first.what, second.what) == ("header vary", "header x-a")
    assert second.scopes == "hello and json"
    assert second.others == (("<b>", "go/net-http"),)


def test_bytes_more_and_fewer_are_told_and_whether_it_may_be_work() -> None:
    run = both()
    assert unlike.verdict(run) == ""  # no answer was kept
    server = [("not sent", ["node/http"]), ("Toa/3.3.0", ["node/toa"])]
    hint = [("timeout=75", ["node/http", "node/toa"]), ("not sent", ["go/gin"])]
    same = {"scenario": "hello", "load": "closed-64"}
    run.differences = [
        DifferenceRecord(what="server", groups=server, sizes=[0, 19], **same),
        DifferenceRecord(what="keep-alive", groups=hint, sizes=[24, 0], **same),
    ]
    assert unlike.sentences(run) == [
        "in hello, header server: not sent from node/http; Toa/3.3.0, 19 bytes more from node/toa",
        "in hello, header keep-alive: mostly timeout=75; not sent, 24 bytes fewer from go/gin",
    ]
    assert unlike.verdict(run) == "The same work, apart from a few bytes"
    assert "<h2>The same work, apart from a few bytes</h2>" in render_html(run)
    assert "### The same work, apart from a few bytes" in render_markdown(run)
    etag = [("not sent", ["node/http"]), ("sent", ["node/express"])]
    run.differences.append(
        DifferenceRecord(what="etag", groups=etag, why="a hash", sizes=[0, 41], **same)
    )
    assert unlike.verdict(run) == "Not the same work"


def test_processes_and_pools_are_compared() -> None:
    run = both()
    told = " ".join(servers.evenness(run))
    assert "Database connections after the load: not equal: 4 in node/http; 16 in" in told
    for trial in run.trials:
        trial.held = {"database connections": 16}
    assert "Database connections after the load: equal, 16 each." in servers.evenness(run)
    [http] = [row for row in servers.rows(with_findings()) if row.entry == "node/http"]
    assert (http.pool, http.framework) == ("4 of 16", "Node 20")
    assert http.processes_seen == "1"


def test_every_format_shows_them() -> None:
    run = with_findings()
    page = render_html(run)
    for text in ("What one more middleware costs", "Not the same work", "&lt;b&gt;", "4 of 16"):
        assert text in page
    assert '"cost-1"' in page
    exported = json_export.export(run)
    validate("run", exported)
    assert exported["costs"][0]["entries"][0]["each_ns"] == 250.4
    assert exported["differences"][0]["what"] == "x-a"
    assert json.loads(json_export.dumps(run)) == exported
    console = Console(width=100, record=True, file=StringIO())
    console.print(render(run, 100))
    text = " ".join(console.export_text().split())
    assert "of one more middleware, in CPU time per request: node/http 250 ns" in text
    assert "header vary: mostly not sent; <b> from go/net-http (it is negotiated)" in text


def test_the_page_of_both_methods() -> None:
    page = render_html(both())
    assert "What the published method missed" in page
    # Once beside both methods, not again in each section.
    assert page.count("Beside the published figures") == 0
    assert page.count("Published figures beside ours") == 1
