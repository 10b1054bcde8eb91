"""What a flaw does to a figure is told where it was measured beside the same server without it."""

from __future__ import annotations

from typing import Any

import pytest

from support.docs_script import docs_script
from support.study_with import study_with
from support.synthetic_run import build_run

FLAWED, SOUND = "a/b@flawed", "a/b"
PAIR = {"variant": FLAWED, "beside": SOUND}


@pytest.fixture(scope="module")
def scripts() -> dict[str, dict[str, Any]]:
    return {name: docs_script(name) for name in ("flaws_table", "measured")}


def row(entry: str, rps: float | None, cpu_us: float, **more: Any) -> dict[str, Any]:
    span = None if rps is None else [0.9 * rps, 1.1 * rps]
    cpu_range = [0.9 * cpu_us, 1.1 * cpu_us]
    told = {"entry": entry, "trials": 3, "rps": rps, "range": span, "cpu_us": cpu_us}
    return {**told, "cpu_range": cpu_range, "reason": "", **more}


def cell(*rows: dict[str, Any], load: str = "closed-64", day: int = 1, **more: Any) -> Any:
    run = {"date": f"2026-11-0{day}", "minutes": 5, "machine": "a machine"}
    return {"scenario": "json", "load": load, "rows": rows, "run": run, **more}


UNTOLD = ["Not measured so far:", "", "- a flaw: `a/b@flawed` beside `a/b` (study `s`)", ""]


def lines_of(script: dict[str, Any], *cells: Any, pair: dict[str, Any] = PAIR) -> list[str]:
    flaw = {"says": "a flaw", "study": "s", "scenarios": ["json"], "pairs": [pair]}
    lines: list[str] = script["table"]([flaw], [{"cells": cells}])
    return lines


def told(script: dict[str, Any], *cells: Any, pair: dict[str, Any] = PAIR) -> str:
    line = lines_of(script, *cells, pair=pair)[2]
    return line.split("|")[-2].strip()


def test_a_pair_is_told_by_its_ratios_and_whether_they_tell_it_apart(
    scripts: dict[str, dict[str, Any]],
) -> None:
    script = scripts["flaws_table"]
    slow = cell(row(FLAWED, 210, 240), row(SOUND, 1000, 100))
    said = "`json` under `closed-64`: 0.21 times the rate, 2.40 times the CPU per request"
    assert told(script, slow) == said
    alike = cell(row(FLAWED, 1040, 98), row(SOUND, 1000, 100))
    assert told(script, alike) == (
        "`json` under `closed-64`: 1.04 times the rate (ranges overlap), 0.98 times the CPU per"
        " request (ranges overlap)"
    )
    given = cell(row(FLAWED, 300, 8), row(SOUND, 300, 2000), load="spike", kind="open")
    assert told(script, given) == "`json` under `spike`: 0.0040 times the CPU per request"
    # Files of before there were ranges of CPU time tell none.
    old = cell(row(FLAWED, 210, 240, cpu_range=None), row(SOUND, 1000, 230))
    assert told(script, old).endswith("1.04 times the CPU per request")
    assert told(script, slow, given).split("<br>") == [told(script, slow), told(script, given)]


def test_what_was_not_measured_side_by_side_is_told_as_not_measured(
    scripts: dict[str, dict[str, Any]],
) -> None:
    script = scripts["flaws_table"]
    apart = cell(row(FLAWED, 210, 240)), cell(row(SOUND, 1000, 100))
    elsewhere = cell(row(FLAWED, 210, 240), row(SOUND, 1000, 100), scenario="blog")
    for cells in ((), apart, (elsewhere,)):
        assert lines_of(script, *cells) == UNTOLD
    # Where our figures cannot show it, they are not told.
    measured = cell(row(FLAWED, 210, 240), row(SOUND, 1000, 100))
    assert lines_of(script, measured, pair={**PAIR, "untold": "one core"}) == [
        *UNTOLD[:2],
        "- a flaw: `a/b@flawed` beside `a/b` (one core)",
        "",
    ]


def test_an_entry_without_a_place_is_named_with_the_reason(
    scripts: dict[str, dict[str, Any]],
) -> None:
    script = scripts["flaws_table"]
    warming = row(FLAWED, 210, 240, reason="still warming in 1 of 3 trials: it was getting faster")
    assert told(script, cell(warming, row(SOUND, 1000, 100))).endswith(
        "per request; not ranked: `a/b@flawed` still warming in 1 of 3 trials"
    )
    once = cell(
        *(row(each, 10, 10, reason="one block; three are needed") for each in (FLAWED, SOUND))
    )
    assert told(script, once).endswith("; not ranked: both one block")
    failed = cell(row(FLAWED, None, 0, reason="it answers others"), row(SOUND, 1000, 100))
    said = "`json` under `closed-64`: no figure (`a/b@flawed` it answers others)"
    assert told(script, failed) == said


def test_the_newest_run_tells_unless_it_has_too_few_trials(
    scripts: dict[str, dict[str, Any]],
) -> None:
    script = scripts["flaws_table"]
    old = cell(row(FLAWED, 500, 100), row(SOUND, 1000, 100))
    new = cell(row(FLAWED, 250, 100), row(SOUND, 1000, 100), day=2)
    few = cell(row(FLAWED, 100, 100, trials=2), row(SOUND, 1000, 100), day=3)
    assert ": 0.25 times the rate" in told(script, new, few, old)
    flaw = {"says": "", "study": "s", "scenarios": ["json"], "pairs": [PAIR]}
    *_, when, _ = script["table"]([flaw], [{"cells": [new, few, old]}])
    assert when.replace("\n", " ").endswith("Measured on 2026-11-02, on a machine.")


def test_a_flaw_of_the_load_is_told_of_one_run(scripts: dict[str, dict[str, Any]]) -> None:
    script = scripts["flaws_table"]
    pair = {"variant": SOUND, "load": "without-cookies", "beside_load": "visitors"}
    without = cell(row(SOUND, 500, 200), load="without-cookies")
    beside = cell(row(SOUND, 1000, 100), load="visitors")
    later = cell(row(SOUND, 2000, 100), load="visitors", day=2)
    said = "`json`: 0.50 times the rate, 2.00 times the CPU per request"
    assert told(script, without, later, beside, pair=pair) == said
    assert lines_of(script, without, later, pair=pair) == [
        *UNTOLD[:2],
        "- a flaw: `a/b` under `without-cookies` beside `visitors` (study `s`)",
        "",
    ]


def test_of_a_study_without_published_figures_every_server_is_kept(
    scripts: dict[str, dict[str, Any]],
) -> None:
    run = build_run(blocks=3, seconds=3)
    study = study_with(run.study, {"published": None})
    cells = scripts["measured"]["measured"](run.model_copy(update={"study": study}))
    entries = {one["entry"] for each in cells for one in each["rows"]}
    assert {"node/http", "node/express", "rust/axum"} <= entries
    assert {each["kind"] for each in cells} == {"closed"}
    held = next(one for one in cells[0]["rows"] if one["rps"])
    assert held["cpu_range"][0] <= held["cpu_us"] <= held["cpu_range"][1]
    assert held["ratio_published"] is None
