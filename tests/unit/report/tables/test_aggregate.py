"""JMeter's aggregate table of a run, beside a published one; and the export of JTL files."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.study_with import study_with
from support.synthetic_run import build_run
from webdyno.errors import UserError
from webdyno.report.formats.html import render_html
from webdyno.report.formats.jtl_export import export
from webdyno.report.tables import aggregate
from webdyno.report.tables.jmeter import HEADINGS
from webdyno.store.records import RunRecord

THEIRS = {
    "server": "go/net-http",
    "scenario": "json",
    "load": "",
    "samples": 31887,
    "average_ms": 106,
    "median_ms": 71,
    "line_90_ms": 210,
    "line_95_ms": 395,
    "line_99_ms": 693,
    "min_ms": 1,
    "max_ms": 1310,
    "error_share": 0.0016,
    "throughput_rps": 639.8,
    "kb_per_s": 330.0,
}


@pytest.fixture
def run(tmp_path: Path) -> RunRecord:
    made = build_run(blocks=2, seconds=2, scenarios=("json",), load="users-30")
    loads = [{"name": "users-30", "kind": "iterations", "users": 30, "iterations": 1000}]
    study = study_with(made.study, {"loads": loads, "published_aggregate": [THEIRS]})
    return made.model_copy(update={"study": study, "folder": str(tmp_path)})


def test_one_row_a_server_in_the_studys_order_and_the_published_one_last(run: RunRecord) -> None:
    [view] = aggregate.views(run)
    assert [row[0] for row in view.ours] == run.study.servers
    assert view.theirs == [
        ("go/net-http (published)", "31887", "106", "71", "210", "395", "693", "1", "1310",
         "0.16%", "639.8/sec", "330.00"),
    ]  # fmt: skip


def test_other_loads_have_no_table_unless_it_is_asked_for(run: RunRecord) -> None:
    closed = [{**run.study.as_stored()["loads"][0], "kind": "closed"}]
    other = run.model_copy(update={"study": study_with(run.study, {"loads": closed})})
    assert aggregate.views(other) == []
    assert "# Samples" in aggregate.text(other, "jmeter")


def test_as_text(run: RunRecord) -> None:
    lines = [line for line in aggregate.text(run, "jmeter").splitlines() if line.startswith("|")]
    assert len({len(line) for line in lines}) == 1
    assert [cell.strip() for cell in lines[0].strip("|").split("|")] == list(HEADINGS)
    with pytest.raises(UserError, match="choose from jmeter"):
        aggregate.text(run, "excel")


@pytest.mark.slow
def test_in_the_page(run: RunRecord) -> None:
    page = render_html(run)
    assert "As JMeter&#39;s Aggregate Report" in page or "As JMeter's Aggregate Report" in page
    assert "go/net-http (published)" in page
    assert "639.8/sec" in page


def test_requests_are_copied_and_what_has_none_is_told(run: RunRecord, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run it with --jtl"):
        list(export(run, tmp_path / "out"))
    (tmp_path / "jtl").mkdir()
    first = run.trials[0]
    name = f"{Path(first.log).stem}-users-30.jtl"
    (tmp_path / "jtl" / name).write_text("timeStamp,elapsed\n")
    told = list(export(run, tmp_path / "out"))
    assert told[0] == str(tmp_path / "out" / name)
    assert (tmp_path / "out" / name).read_text() == "timeStamp,elapsed\n"
    assert len(told) == len(run.trials)
    assert "its requests were not recorded" in told[1]
    wrk = [{**run.study.as_stored()["loads"][0], "generator": "wrk"}]
    other = run.model_copy(update={"study": study_with(run.study, {"loads": wrk})})
    assert "wrk reports no individual requests" in list(export(other, tmp_path / "out"))[1]
