"""What a check says of its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.output_schemas import satisfies
from webdyno.ab.checkout import Commit
from webdyno.check.changes import Changes
from webdyno.check.checked import Checked, CheckedRow
from webdyno.check.measured import CpuChange
from webdyno.check.show import dumps, markdown, notes

HERE = Path("/here")
OPEN = CpuChange("not settled", reason="the time budget ended before it")


def checked(*rows: CheckedRow, **more: Any) -> Checked:
    base = Commit(HERE / ".git", "0123456789abcdef", "")
    return Checked(Changes(HERE, base, "main", ()), 0.95, 0.05, rows=list(rows), **more)


def row(scenario: str, cpu: CpuChange | None = None) -> CheckedRow:
    return CheckedRow("a/two", scenario, "its own files", "proven", cpu=cpu)


def test_scenarios_that_a_change_takes_from_a_server_are_told() -> None:
    found = checked(row("json"), dropped={"a/two": ("hello", "page")})
    assert "a/two no longer implements hello, page" in notes(found)
    assert "- a/two no longer implements hello, page" in markdown(found)
    assert satisfies("check", dumps(found))["dropped"] == {"a/two": ["hello", "page"]}


def test_one_reason_is_told_once_for_all_scenarios() -> None:
    found = notes(checked(row("hello", OPEN), row("json", OPEN), row("page")))
    assert found == ["a/two hello, json: not settled: the time budget ended before it"]


def test_what_was_not_measured_has_no_figures() -> None:
    assert "→" not in markdown(checked(row("hello", OPEN)))
    assert "→" in markdown(checked(row("hello", CpuChange("no worse", before=2.0, now=2.0))))


def test_an_interval_on_one_side_of_none_does_not_look_as_if_it_held_it() -> None:
    change = CpuChange("not settled", before=2.0, now=2.1, change=0.02, low=0.0004, high=0.04)
    said = markdown(checked(row("hello", change))).replace("&nbsp;", " ")
    assert "+2.0% [+0.04, +4.0]" in said
