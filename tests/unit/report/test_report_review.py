"""What no proof shows is told with the figures: for review of the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.output_schemas import validate
from support.synthetic_run import build_run
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import dumps, export
from webdyno.report.formats.json_import import read_export
from webdyno.report.formats.markdown import render_markdown

pytestmark = pytest.mark.slow

POINT = "rows are read for each <answer>"


def test_reports_list_what_is_for_review(tmp_path: Path) -> None:
    run = build_run(blocks=1, seconds=1)
    run.review = {"page": [POINT]}
    page, text = render_html(run), render_markdown(run)
    assert "For review of the source" in page
    assert "rows are read for each &lt;answer&gt;" in page
    assert "### For review of the source\n\n- page: rows are read for each &lt;answer>" in text
    validate("run", export(run))
    exported = tmp_path / "run.json"
    exported.write_text(dumps(run))
    assert read_export(exported).review == run.review


def test_a_run_without_such_points_has_no_such_section() -> None:
    run = build_run(blocks=1, seconds=1)
    assert "For review" not in render_html(run) + render_markdown(run)
