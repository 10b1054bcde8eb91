"""The columns of a ranking, as each format draws them."""

from __future__ import annotations

import functools
from io import StringIO

import pytest
from rich.console import Console

from support.synthetic_run import build_run
from webdyno.report import summary
from webdyno.report.formats.html import render_html
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.formats.notebook import run_html
from webdyno.report.formats.terminal import render
from webdyno.report.ranking import AVERAGES, COLUMNS, Format, Ranking
from webdyno.report.section import Section
from webdyno.store.records import RunRecord


@functools.cache
def run() -> RunRecord:
    """Not for every process that only collects the tests."""
    return build_run(blocks=3, seconds=1)


@functools.cache
def section() -> Section:
    return summary.sections(run())[0]


def test_a_figure_stands_below_its_heading_in_its_unit() -> None:
    lines = [line for line in render_markdown(run()).splitlines() if line.startswith("|")]
    heading, first = ([cell.strip() for cell in line.split("|")] for line in (lines[0], lines[2]))
    told, row = dict(zip(heading, first, strict=True)), section().rows[0]
    assert told["Server"] == row.entry
    assert float(told["p99 ms"]) == pytest.approx(row.medians["p99_us"] / 1e3, abs=0.005)
    assert float(told["CPU µs/request"]) == pytest.approx(
        row.medians["cpu_us_per_request"], abs=0.05
    )
    assert float(told["req/s"].replace(",", "")) == pytest.approx(
        row.medians["throughput_rps"], abs=0.5
    )


@pytest.mark.parametrize("format_", ["terminal", "markdown", "notebook", "page"])
def test_a_latency_has_its_unit_beside_it_in_every_format(format_: Format) -> None:
    ranking = Ranking.of(section(), section().rows)
    latencies = [one for one in ranking.columns(format_) if one.metric.endswith("_us")]
    assert latencies
    for column in latencies:
        beside = ranking.heading(column, format_) + ranking.below(column)
        assert ranking.scales[column.metric].unit in beside


@pytest.mark.slow
def test_every_format_says_once_a_table_which_figures_are_medians() -> None:
    console = Console(width=100, record=True, file=StringIO())
    console.print(render(run(), 100))
    texts = (console.export_text(), render_markdown(run()))
    assert [text.count(AVERAGES) for text in texts] == [1, 1]
    tables = len(summary.sections(run()))
    assert [text.count(AVERAGES) for text in (render_html(run()), run_html(run()))] == [tables] * 2


def test_only_a_wide_terminal_has_room_for_all() -> None:
    ranking = Ranking.of(section(), section().rows)
    assert ranking.columns("terminal") == list(COLUMNS)
    narrow = ranking.columns("terminal", wide=False)
    assert [column.metric for column in COLUMNS if column not in narrow] == ["", "p50_us"]
