"""The columns of a ranking, as each format draws them."""

from __future__ import annotations

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

RUN = build_run(blocks=3, seconds=1)
SECTION = summary.sections(RUN)[0]


@pytest.mark.parametrize("format_", ["terminal", "markdown", "notebook", "page"])
def test_a_cell_stands_below_its_heading_in_every_format(format_: Format) -> None:
    ranking = Ranking.of(SECTION, SECTION.rows)
    columns = ranking.columns(format_)
    row = SECTION.rows[0]
    for column, text in zip(columns, ranking.texts(row, format_), strict=True):
        assert ranking.heading(column, format_)
        assert text == column.text(row, ranking)
        if column.metric.endswith("_us"):
            scale = ranking.scales[column.metric]
            assert text == scale.text(row.medians[column.metric])
            beside = ranking.heading(column, format_) + ranking.below(column)
            assert scale.unit in beside


@pytest.mark.slow
def test_every_format_says_once_a_table_which_figures_are_medians() -> None:
    console = Console(width=100, record=True, file=StringIO())
    console.print(render(RUN, 100))
    texts = (console.export_text(), render_markdown(RUN))
    assert [text.count(AVERAGES) for text in texts] == [1, 1]
    tables = len(summary.sections(RUN))
    assert [text.count(AVERAGES) for text in (render_html(RUN), run_html(RUN))] == [tables] * 2


def test_only_a_wide_terminal_and_the_page_have_room_for_all() -> None:
    ranking = Ranking.of(SECTION, SECTION.rows)
    assert ranking.columns("terminal") == list(COLUMNS)
    narrow = ranking.columns("terminal", wide=False)
    assert [column.metric for column in COLUMNS if column not in narrow] == ["", "p50_us"]
