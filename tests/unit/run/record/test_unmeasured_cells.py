"""Whoever a study asks for appears: in the record, and in each format of the report."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import pytest
from rich.console import Console

from support.output_schemas import validate
from support.small_study import a_study, trials
from webdyno.catalog import Catalog
from webdyno.report import summary
from webdyno.report.charts.picture import render_picture
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import dumps, export
from webdyno.report.formats.json_import import read_export
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.formats.terminal import show
from webdyno.report.text import answer, cautions
from webdyno.run.blocks.make_blocks import conclude
from webdyno.run.record.unmeasured_cells import requested_cells, unmeasured_cells
from webdyno.store.agenda import PlannedCell, PlanRecord
from webdyno.store.records import RunRecord, Skipped, now
from webdyno.store.stored_study import StoredStudy
from webdyno.store.unmeasured_cell import UnmeasuredCell

STUDY = a_study(
    servers=[
        "node/http",
        "go/gin",
        "go/chi",
        "node/koa",
        "nginx/static",
        "java/servlet",
        "swift/zewo",
    ],
    scenarios=["json"],
)
SKIPPED = [
    Skipped(server="swift/zewo", reason="unbuildable: it is gone", kind="unbuildable"),
    Skipped(
        server="java/servlet", reason="needs mvn >= 3.6.3 (not found)", kind="toolchain-missing"
    ),
    Skipped(server="go/chi", reason="'go build' exited with 1: undefined: x", kind="build-failed"),
]
Status = Literal["running", "finished", "interrupted", "failed"]


def a_run(status: Status = "finished", *, blocks: int = 3, load: str = "closed-8") -> RunRecord:
    """Measured: node/http and go/gin. Asked for: five more, each missing for another reason."""
    seen = [t for t in trials(blocks) if t.server != "go/chi"] if blocks else []
    run = RunRecord(
        id="r", study=StoredStudy.of(STUDY), command="", started=now(), finished=now(),
        status=status, trials=seen, skipped=SKIPPED,
        absent=requested_cells(STUDY, Catalog(), SKIPPED),
    )  # fmt: skip
    if seen:
        conclude(STUDY, run)
    return run


EXPECTED = {
    "swift/zewo": ("unbuildable", "unbuildable: it is gone"),
    "java/servlet": ("toolchain-missing", "needs mvn >= 3.6.3 (not found)"),
    "go/chi": ("build-failed", "'go build' exited with 1: undefined: x"),
    "nginx/static": ("not-implemented", "does not implement json"),
    "node/koa": ("not-reached", "the time budget ended first"),
}


def test_each_server_without_a_trial_has_its_reason() -> None:
    assert {row.entry: (row.kind, row.reason) for row in unmeasured_cells(a_run())} == EXPECTED


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("interrupted", "the run was interrupted first"),
        ("failed", "the run failed first"),
        ("running", "not measured yet"),
    ],
)
def test_how_the_run_ended_is_why_it_was_not_reached(status: Status, reason: str) -> None:
    reasons = {row.entry: row.reason for row in unmeasured_cells(a_run(status))}
    assert reasons["node/koa"] == reason
    assert reasons["nginx/static"] == "does not implement json"


def test_of_several_loads_each_has_its_row() -> None:
    loads = [{"kind": "closed", "connections": n, "duration": "1s"} for n in (8, 64)]
    servers = ["node/http", "nginx/static"]
    study = a_study(loads=loads, scenarios=["json"], servers=servers, control="")
    rows = requested_cells(study, Catalog(), [])
    assert [(row.entry, row.load) for row in rows] == [
        ("node/http", "closed-8"), ("nginx/static", "closed-8"),
        ("node/http", "closed-64"), ("nginx/static", "closed-64"),
    ]  # fmt: skip


def told_by(run: RunRecord) -> dict[str, str]:
    console = Console(file=StringIO(), width=200)
    show(run, console)
    assert isinstance(console.file, StringIO)
    return {
        "terminal": console.file.getvalue(),
        "html": render_html(run),
        "markdown": render_markdown(run),
    }


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [3, 0])
def test_every_format_shows_every_server(blocks: int) -> None:
    run = a_run(blocks=blocks)
    for format_, text in told_by(run).items():
        for server in STUDY.servers:
            assert server in text, f"{server} in {format_}"
        for word in ("does not implement json", "it is gone", "the time budget ended first"):
            assert word in text.replace("\\", ""), f"{word} in {format_}"
    assert render_picture(run)


def test_the_headline_and_the_cautions_say_who_is_missing() -> None:
    run = a_run()
    assert answer.answer(run).headline.endswith("Not measured: 5 of 7 servers.")
    said = " ".join(cautions.cautions(run))
    assert "; node/koa (not reached); nginx/static (not implemented); " in said
    only = run.model_copy(update={"absent": [row for row in run.absent if "koa" in row.entry]})
    assert answer.answer(only).headline.endswith("Not measured: node/koa.")


def test_where_some_scenarios_were_measured_the_cautions_name_the_others() -> None:
    run = a_run()
    row = UnmeasuredCell(
        entry="go/gin", scenario="blog", load="closed-8", kind="not-reached", reason="x"
    )
    more = run.model_copy(update={"absent": [row]})
    assert [section.scenario for section in summary.sections(more)] == ["json", "blog"]
    assert "Not measured: go/gin (not reached in blog)." in cautions.cautions(more)
    assert answer.answer(more).headline.endswith("Not measured everywhere: go/gin.")


def test_what_the_plan_had_no_time_for_is_told_once() -> None:
    run = a_run()
    one = {"scenario": "json", "load": "closed-8"}
    plan = PlanRecord(
        question="Who is first?", **one, metric="throughput_rps", servers=["go/gin"], named=True,
        budget_s=60.0, all_s=600.0, entries=["go/gin", "go/chi"],
        cells=[
            PlannedCell(**one, blocks=3, planned=True),
            PlannedCell(scenario="blog", load="closed-8", blocks=3, planned=False),
        ],
    )  # fmt: skip
    rows = [
        UnmeasuredCell(
            entry=entry, scenario="blog", load="closed-8", kind="not-reached", reason="x"
        )
        for entry in ("go/gin", "go/chi")
    ]
    little = run.model_copy(update={"absent": rows, "plan": plan})
    assert not any("Not measured" in text for text in cautions.cautions(little))
    assert "Not measured" not in answer.answer(little).headline
    said = told_by(little)["terminal"]
    assert said.count("Not within this budget: blog under closed-8.") == 1
    # Everybody keeps a row, one line for all that lack the same.
    assert "go/gin and go/chi: the time budget ended first" in said


def test_a_file_holds_them_and_is_read_again(tmp_path: Path) -> None:
    run = a_run(blocks=0)
    held: dict[str, Any] = export(run)
    validate("run", held)
    assert {row["entry"] for row in held["absent"]} == set(STUDY.servers)
    file = tmp_path / "run.json"
    file.write_text(dumps(run))
    assert unmeasured_cells(read_export(file)) == unmeasured_cells(run)


def test_a_run_of_an_older_version_is_still_read() -> None:
    held = json.loads(a_run().model_dump_json())
    del held["absent"]
    held["skipped"] = [{"server": "swift/vapor", "reason": "swift is not installed"}]
    run = RunRecord.model_validate(held)
    assert unmeasured_cells(run) == []
    assert "swift is not installed" in told_by(run)["terminal"]
