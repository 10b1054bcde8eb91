"""Build times in the reports."""

from __future__ import annotations

import pytest

from support.output_schemas import validate
from support.synthetic_run import build_run
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import export
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.tables.build_times import table
from webdyno.store.records import BuildTimesRecord, RunRecord

pytestmark = pytest.mark.slow


def timed() -> RunRecord:
    run = build_run(blocks=2, seconds=2)
    run.build_times = [
        BuildTimesRecord(
            server="java/servlet",
            cold_s=40.0,
            clean_s=[10.0, 8.0, 12.0],
            incremental_s=[4.0, 5.0, 3.0],
            changed_file="src/<Main>.java",
            artefact_bytes=9_000_000,
        ),
        BuildTimesRecord(server="node/http", note="nothing to build: the source runs as it is"),
    ]
    return run


def test_median_range_and_one_scale_for_all_bars() -> None:
    found = table(timed())
    cold, clean, incremental = found.rows[0].cells
    assert (cold.text, cold.spread, cold.part) == ("40 s", "", 1.0)
    assert (clean.text, clean.spread, clean.part) == ("10 s", "8 s to 12 s", 0.25)
    assert incremental.part == 0.1
    assert found.repetitions == "3"
    assert [cell.part for cell in found.rows[1].cells] == [0.0, 0.0, 0.0]


def test_every_format_shows_them_and_escapes() -> None:
    run = timed()
    page = render_html(run)
    assert 'href="#build-time"' in page
    assert "8 s to 12 s" in page
    assert "src/&lt;Main&gt;.java" in page
    assert "| java/servlet | 40 s | 10 s (8 s to 12 s) | 4 s (3 s to 5 s) |" in render_markdown(run)
    exported = export(run)
    validate("run", exported)
    assert exported["build_times"][0]["incremental_s"] == [4.0, 5.0, 3.0]


def test_a_run_without_them_says_nothing_of_them() -> None:
    run = build_run(blocks=2, seconds=2)
    assert 'id="build-time"' not in render_html(run)
    assert "Build time" not in render_markdown(run)
    assert export(run)["build_times"] == []
