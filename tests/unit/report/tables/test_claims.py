"""The published tables at the head of a report, against arithmetic and against the run."""

from __future__ import annotations

import math
from typing import Any

import pytest

from support.study_with import study_with
from support.synthetic_run import build_run
from webdyno.catalog import Catalog
from webdyno.catalog.studies.published_statement import Statement
from webdyno.catalog.studies.published_table import _KINDS
from webdyno.report import summary
from webdyno.report.formats.html import render_html
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.tables import aggregate, claims, published, servers
from webdyno.store.records import RunRecord

LOAD = {"kind": "closed", "tool": "wrk", "connections": 100, "duration": "10s"}


def with_figures(run: RunRecord, manifest: dict[str, Any]) -> RunRecord:
    return run.model_copy(update={"study": study_with(run.study, {"published": manifest})})


@pytest.fixture
def told() -> RunRecord:
    """go/net-http is faster than node/http here, and node/http than node/express."""
    rows = [
        {"label": "Go", "server": "go/net-http", "throughput": "1000", "mean": "300ms"},
        {"label": "Node", "server": "node/http", "throughput": "2000", "mean": "50ms"},
        {"label": "<b>Express", "server": "node/express", "throughput": "900"},
        {"label": "nobody", "note": "no figures"},
    ]
    statements = [
        {"says": "Node beats Go", "table": "one", "of": "Node", "to": "Go"},
        {"says": "Node beats Express", "table": "one", "of": "Node", "to": "<b>Express"},
        {"says": "It is 100 times", "table": "one", "of": "Node", "to": "<b>Express", "times": 100},
        {"says": "Everybody likes it"},
    ]
    table = {"name": "one", "scenario": "json", "load": LOAD, "rows": rows}
    manifest = {"name": "made", "title": "t", "source": "A blog", "tables": [table]}
    return with_figures(build_run(blocks=3, seconds=2), {**manifest, "statements": statements})


def test_each_conclusion_is_held_against_the_figures_and_the_run(told: RunRecord) -> None:
    view = claims.claims(told)
    assert view is not None
    by_figures = [one.by_figures for one in view.statements]
    assert by_figures == ["holds", "holds", "fails", "undecided"]
    here = [one.here for one in view.statements]
    assert here[0].startswith("fails, 0.")
    assert here[1].startswith("holds, 2.")
    assert here[2].startswith("holds in kind, not in size, 2.")
    assert here[3] == "–"
    [table] = view.tables
    assert table.headings == ("Server", "Requests/s", "Mean latency")
    assert table.rows[2] == ("<b>Express", "900", "–")
    assert len(table.rows) == 3
    assert any("300 requests in flight" in one.sentence for one in view.fails)


@pytest.mark.slow
def test_a_run_under_another_load_or_of_other_work_judges_nothing(told: RunRecord) -> None:
    manifest = told.study.as_stored()["published"]
    [table] = manifest["tables"]
    unlike = {**table, "unlike": {"closed-64": "there each is a first visit"}}
    run = with_figures(told, {**manifest, "tables": [unlike]})
    view = claims.claims(run)
    assert view is not None
    assert view.statements[0].here.startswith("not judged, 0.")
    assert view.statements[0].here.endswith("(closed-64: there each is a first visit)")
    [shown] = published.tables(summary.sections(run)[0], published.figures(run))
    [judged] = published.tables(summary.sections(told)[0], published.figures(told))
    assert {row.agrees for row in shown.rows} == {None}
    assert {row.agrees for row in judged.rows} == {None, False}
    assert [row.ours for row in shown.rows] == [row.ours for row in judged.rows]
    assert "Not judged under closed-64: there each is a first visit." in render_html(run)
    assert "Not judged" not in render_html(told)


def test_every_figure_that_was_printed_is_shown() -> None:
    run = build_run(blocks=1, seconds=1)
    for name in ("node-middleware", "point-lookup", "session-counter", "sha256-spike"):
        manifest = Catalog().published(name)
        view = claims.claims(with_figures(run, manifest.model_dump(mode="json")))
        assert view is not None
        shown = [row for table in view.tables for row in (*table.rows, *table.other)]
        rows = [row for table in manifest.tables for row in table.rows]
        printed = {getattr(row, key) for row in rows for key in _KINDS} - {None}
        assert printed <= {cell for row in shown for cell in row}


@pytest.mark.slow
def test_in_the_page_and_in_markdown(told: RunRecord) -> None:
    page = render_html(told)
    assert "What was published, and what holds" in page
    assert "&lt;b&gt;Express" in page
    assert "<b>Express" not in page
    assert page.index('id="claims"') < page.index('id="section-0"')
    assert "Beside the published figures" in page
    assert claims.brief(told) == (
        "2 contradictions in the published figures; `webdyno claims made` shows the checks"
    )
    text = render_markdown(told)
    assert "### What was published" in text
    assert "“Node beats Go” holds" in text


def test_a_study_without_a_file_says_nothing() -> None:
    run = build_run(blocks=2, seconds=2)
    assert claims.claims(run) is None
    assert "What was published, and" not in render_html(run)
    given = [figure.model_dump(exclude_defaults=True) for figure in published.figures(run)]
    assert given == run.study.as_stored()["published"]
    # A file of a version that this one cannot read.
    other = with_figures(run, {"name": "later", "unknown": 1})
    assert claims.claims(other) is None
    assert published.figures(other) == []


def test_the_files_that_ship_give_the_figures_and_the_aggregate_table() -> None:
    run = build_run(blocks=2, seconds=2)
    lookup = Catalog().study("point-lookup").model_dump(mode="json")
    found = published.figures(with_figures(run, lookup["published"]))
    kept = {(one.server, one.metric): one.value for one in found}
    assert kept[("java/servlet@as-published", "throughput_rps")] == 639.8
    assert kept[("node/http@as-published", "p99_us")] == pytest.approx(132_000)
    assert len(kept) == 6
    spike = Catalog().study("sha256-spike").model_dump(mode="json")
    found = published.figures(with_figures(run, spike["published"]))
    shares = [one.value for one in found if one.metric == "timed_out_share"]
    assert shares == [pytest.approx(0.8725, abs=1e-4)]
    ratios = {(one.server, one.metric): one.value for one in found if one.ratio}
    assert ratios[("java/spring-boot", "memory_peak_bytes")] == 3
    assert ratios[("java/spring-boot", "cpu_us_per_request")] == 4


def test_cores_busy_at_a_rate_are_cpu_time_a_request() -> None:
    spike = Catalog().study("sha256-spike").model_dump(mode="json")
    run = with_figures(build_run(blocks=2, scenarios=("case 1 (n = 800)",)), spike["published"])
    tables = published.tables(summary.sections(run)[0], published.figures(run))
    # What was published as a ratio alone has a table of its own.
    absolute, alone = (table for table in tables if table.key == "cpu_us_per_request")
    shown = {row.entry: (row.value, row.theirs) for row in absolute.rows}
    assert shown["java/quarkus"] == ("10.00 ms", "27.3x")
    assert [row.theirs for row in alone.rows] == ["1.00x", "4.00x"]


def test_the_aggregate_table_has_the_published_rows() -> None:
    run = build_run(blocks=2, seconds=2, scenarios=("json",), load="users-30")
    lookup = Catalog().study("point-lookup").model_dump(mode="json")["published"]
    lookup["tables"][0]["scenario"] = "json"
    loads = [{"name": "users-30", "kind": "iterations", "users": 30, "iterations": 1000}]
    study = study_with(run.study, {"loads": loads, "published": lookup})
    [view] = aggregate.views(run.model_copy(update={"study": study}))
    assert view.theirs[0] == (
        "java/servlet@as-published (published)", "31887", "106", "71", "210", "395", "693", "1",
        "1310", "0.16%", "639.8/sec", "330.00",
    )  # fmt: skip
    assert [row[0] for row in view.theirs][2] == "total (published)"


@pytest.mark.parametrize(
    ("saves", "word"), [("40%", "holds"), ("5%", "holds in kind, not in size")]
)
def test_a_saving_is_what_machines_carry_less_of(told: RunRecord, saves: str, word: str) -> None:
    """Twice the capacity is half the machines."""
    said = {"says": "Go is cheaper", "table": "one", "of": "Go", "to": "Node"}
    manifest = {
        **told.study.as_stored()["published"],
        "statements": [{**said, "metric": "cost", "saves": saves}],
    }
    run = with_figures(told, manifest)
    run.verdicts = [
        one.model_copy(update={"metric": "capacity_rps"})
        for one in run.verdicts
        if one.metric == "throughput_rps"
    ]
    view = claims.claims(run)
    assert view is not None
    (statement,) = view.statements
    assert statement.by_figures == "undecided"
    assert statement.here.startswith(word), statement.here
    assert "saves " in statement.here


def test_lines_of_source_stand_beside_those_published() -> None:
    run = build_run(blocks=1, seconds=1)
    rows = [{"label": "Go", "server": "go/net-http", "source_lines": 98}]
    table = {"name": "one", "scenario": "json", "load": LOAD, "rows": rows}
    manifest = {"name": "made", "title": "t", "source": "A blog", "tables": [table]}
    found = {row.entry: row.lines_published for row in servers.rows(with_figures(run, manifest))}
    assert found["go/net-http"] == "98"
    assert set(found.values()) == {"98", ""}
    page = render_html(with_figures(run, manifest))
    assert "published: 98" in page
    assert "Published lines are as the write-up counts them" in page
    assert "Published lines" not in render_html(run)


@pytest.mark.parametrize(
    ("times", "ends", "word"),
    [
        ("4", (0.0, math.inf), "undecided"),  # One block: it holds every ratio.
        ("4", (2.0, math.inf), "undecided"),
        ("4", (0.5, 9.0), "undecided"),  # It holds 1 as well.
        ("4", (2.0, 9.0), "holds"),
        ("4", (1.5, 3.0), "holds in kind, not in size"),
        ("4", (6.0, math.inf), "holds in kind, not in size"),
        ("4", (0.8, 1.2), "undecided"),
        ("4", (0.5, 0.9), "fails"),
        ("1.05", (1.02, 1.09), "holds"),
        ("1.00", (0.95, 1.04), "holds"),
        ("1.00", (0.4, 2.5), "undecided"),
        ("1.00", (0.0, math.inf), "undecided"),
        (None, (0.0, math.inf), "undecided"),
        (None, (1.1, math.inf), "holds"),
    ],
)
def test_an_interval_bears_out_a_ratio_only_where_it_tells_it_from_none(
    times: str | None, ends: tuple[float, float], word: str
) -> None:
    said = Statement(says="s", of="a", to="b", times=times)
    assert claims._judged(said, *ends) == word
