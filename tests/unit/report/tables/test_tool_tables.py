"""The load tools' own tables: what they printed, and the published lines below."""

from __future__ import annotations

import pytest

from support.output_schemas import validate
from support.study_with import study_with
from support.synthetic_run import build_run
from webdyno.catalog import Catalog
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import export
from webdyno.report.tables import aggregate
from webdyno.report.tables import tools as tool_tables
from webdyno.store.records import RunRecord

pytestmark = pytest.mark.slow

WRK = {
    "latency": ["1.70ms", "2.89ms", "28.92ms", "87.56%"],
    "thread_rate": ["19.23k", "14.48k", "59.41k", "81.67%"],
    "total": ["115199", "3.03s", "8.24MB"],
    "rate": ["38024.81"],
    "transfer": ["2.72MB"],
    "timeouts": ["3"],
}
AUTOCANNON = {
    "latency_ms": {"average": 9.36, "stddev": 2.5, "max": 97},
    "requests_per_s": {"average": 10178.4, "stddev": 771.1, "max": 10807},
    "bytes_per_s": {"average": 1510000, "stddev": 97900, "max": 1620000},
}


def run_of(tool: str, scenario: str, study: str, table: object) -> RunRecord:
    published = Catalog().published(study).model_dump()
    run = build_run(blocks=1, seconds=1)
    for trial in run.trials:
        trial.scenario = scenario
        if trial.measurement is not None:
            trial.measurement.generator.table = table
    loads = [{"name": trial.load, "generator": tool} for trial in run.trials[:1]]
    study = study_with(run.study, {"loads": loads, "published": published})
    return run.model_copy(update={"study": study})


def test_wrks_lines_stand_word_for_word_above_the_published() -> None:
    (found,) = tool_tables.tables(run_of("wrk", "session-counter", "session-counter", WRK))
    assert found.tool == "wrk"
    ours = (
        *("1.70ms", "2.89ms", "28.92ms", "87.56%", "19.23k", "14.48k", "59.41k", "81.67%"),
        *("115199", "3.03s", "8.24MB", "3", "38024.81", "2.72MB"),
    )
    assert found.rows[0][1] == ours
    theirs = dict(found.rows)["php/laravel (published)"]
    assert theirs == (
        *("1.08s", "546.33ms", "1.96s", "65.71%", "12.37", "7.28", "40.00", "56.64%"),
        *("211", "10.03s", "177.21KB", "176", "21.04", "17.67KB"),
    )
    assert all(len(cells) == len(found.headings) for _, cells in found.rows)


def test_autocannons_table_has_deviations_and_bytes() -> None:
    run = run_of("autocannon", "middleware-5", "node-middleware", AUTOCANNON)
    (found,) = tool_tables.tables(run)
    assert found.rows[0][1] == (
        *("9.36", "2.5", "97"), *("10178.4", "771.1", "10807"), *("1.51e+06", "97900", "1.62e+06"),
    )  # fmt: skip
    theirs = dict(found.rows)["node/kwan (published)"]
    assert theirs[0].startswith("7.74")
    assert theirs[3] == "12175.2"
    assert "–" not in theirs


def test_trials_of_the_engine_have_none() -> None:
    assert tool_tables.tables(build_run(blocks=1, seconds=1)) == []


def test_a_tool_that_printed_only_part_leaves_the_rest_open() -> None:
    late = {"timeouts": ["20"], "rate": ["0.00"]}
    (found,) = tool_tables.tables(run_of("wrk", "session-counter", "session-counter", late))
    assert found.rows[0][1] == (*(["–"] * 11), "20", "0.00", "–")


@pytest.mark.parametrize("tool", ["wrk", "autocannon"])
def test_pages_and_the_command_line_show_it(tool: str) -> None:
    run = run_of(tool, "session-counter", "session-counter", WRK if tool == "wrk" else AUTOCANNON)
    assert "As the load tools show it" in render_html(run)
    assert "| Server | Latency" in aggregate.text(run, tool)
    validate("run", export(run))
