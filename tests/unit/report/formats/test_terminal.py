"""The final table: at 80 columns, in a pipe, and without the chart libraries."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from rich.console import Console

from support.synthetic_run import SERVERS, build_run, failing_aa, with_server
from webdyno.report.formats import terminal
from webdyno.store.records import FlagRecord, RunRecord


def printed(run: RunRecord, width: int, *, colour: bool = False, report: str = "") -> str:
    """What `show` writes to a pipe, or with `colour` to a terminal."""
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=colour, color_system="standard")
    terminal.show(run, console if colour else Console(file=file, width=width), report=report)
    return file.getvalue()


@pytest.mark.parametrize("width", [80, 118, 200])
def test_it_fits_and_a_pipe_gets_no_colour(run: RunRecord, width: int) -> None:
    text = printed(run, width)
    assert "\x1b" not in text
    assert max(len(line) for line in text.splitlines()) <= width


def test_it_holds_the_ranking_and_what_was_left_out(run: RunRecord) -> None:
    text = printed(run, 80, report=".webdyno/runs/x/report.html")
    lines = text.splitlines()
    rank = [line.split()[:2] for line in lines if line[:1].isdigit()][:6]
    assert rank == [
        ["1", "go/net-http"],
        ["2", "java/servlet"],
        ["3=", "node/http"],
        ["3=", "node/fastify"],
        ["5", "node/express@cluster"],
        ["6", "node/express"],
    ]
    flat = " ".join(text.split())
    assert "not ranked rust/axum (70," in flat
    assert "left out java/spring: no JDK 21" in flat
    assert "node/http and node/fastify are tied (within 3%)" in flat
    assert "A/A control 1.00x [0.99, 1.02]" in flat
    assert "still getting faster when the measurement began: raise warmup.max" in flat
    assert flat.endswith("report .webdyno/runs/x/report.html")


def test_a_wide_terminal_gets_intervals_and_medians(run: RunRecord) -> None:
    narrow, wide = (
        next(line for line in printed(run, width).splitlines() if line.startswith("#"))
        for width in (80, 130)
    )
    assert "interval" not in narrow
    assert "interval" in wide
    assert "p50 ms" in wide


def test_long_paths_stay_whole_enough_to_copy(run: RunRecord) -> None:
    path = "/home/someone/" + "deep/" * 20 + "report.html"
    assert path in "".join(printed(run, 80, report=path).split())


def test_names_are_text_and_not_markup() -> None:
    odd = with_server(SERVERS[1], name="go/[bold]x[/bold]")
    text = printed(build_run(blocks=1, seconds=1, servers=(odd,)), 100)
    assert "go/[bold]x[/bold]" in text


def test_a_failed_control_is_shouted(run: RunRecord) -> None:
    assert "caution     The A/A control failed in json" in printed(failing_aa(run), 80)


def test_an_empty_run_has_a_text_too(run: RunRecord) -> None:
    bare = run.model_copy(update={"trials": [], "verdicts": []})
    assert "No answer yet: 0 valid trials" in printed(bare, 80)


@pytest.mark.slow
@pytest.mark.parametrize(
    "module",
    ["formats.terminal", "live.views", "formats.json_export", "formats.markdown", "charts.picture"],
)
def test_light_formats_do_not_load_the_chart_libraries(module: str) -> None:
    heavy = "{'altair', 'vl_convert', 'pandas', 'hdrh'}"
    code = f"import sys, webdyno.report.{module}; print(sorted({heavy} & set(sys.modules)))"
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=here
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("servers", "expected"), [(2, 2), (4, 1)])
def test_a_doubt_that_more_than_two_have_is_told_once(servers: int, expected: int) -> None:
    run = build_run(blocks=3, seconds=1, servers=SERVERS[:servers])
    for trial in run.trials:
        trial.flags = [FlagRecord(code="few-answers", message=f"only {trial.index} answers")]
    lines = [line for line in printed(run, 200).splitlines() if line.startswith("flag")]
    assert len(lines) == expected * len({trial.scenario for trial in run.trials})
    assert all(("; likewise 3 others (12 of 12)" in line) == (expected == 1) for line in lines)


@pytest.mark.parametrize(("blocks", "told"), [(1, False), (3, True)])
def test_few_blocks_are_not_told_again_of_each_metric(blocks: int, told: bool) -> None:
    run = build_run(blocks=blocks, seconds=1, servers=SERVERS[:2])
    run.verdicts += [one.model_copy(update={"metric": "p99_us"}) for one in run.verdicts]
    text = printed(run, 200)
    assert any(line.startswith("also ") for line in text.splitlines()) is told
