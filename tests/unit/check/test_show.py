"""What a check says of its rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support.output_schemas import validated
from support.planned_run import planned, study_of
from webdyno.ab.baselines.baseline import baseline_label
from webdyno.ab.git.checkout import Commit
from webdyno.check.changes import Changes
from webdyno.check.check_servers import CheckedRow, CheckResult, _needed_s, of_a_share
from webdyno.check.cpu_changes import CpuChange, _not_ranked
from webdyno.check.show import dumps, headline, markdown, notes
from webdyno.report.live.progress import RunProgress
from webdyno.trial.events import Event, Noted, PlanMade

HERE = Path("/here")
OPEN = CpuChange("not settled", reason="the time budget ended first")


def checked(*rows: CheckedRow, **more: Any) -> CheckResult:
    base = Commit(HERE / ".git", "0123456789abcdef", "")
    return CheckResult(Changes(HERE, base, "main", ()), 0.95, 0.05, rows=list(rows), **more)


def row(scenario: str, cpu: CpuChange | None = None) -> CheckedRow:
    return CheckedRow("a/two", scenario, "its own files", "proven", cpu=cpu)


def test_scenarios_that_a_change_takes_from_a_server_are_told() -> None:
    found = checked(row("json"), dropped={"a/two": ("hello", "page")})
    assert "a/two no longer implements hello, page" in notes(found)
    assert "- a/two no longer implements hello, page" in markdown(found)
    assert validated("check", dumps(found))["dropped"] == {"a/two": ["hello", "page"]}


def test_a_remedy_follows_what_is_wrong() -> None:
    failed = CheckedRow("a/two", "sse", "its own files", "failed", "late", remedy="flush")
    found = checked(failed)
    assert notes(found) == ["a/two sse: late", "a/two sse: remedy: flush"]
    assert validated("check", dumps(found))["rows"][0]["remedy"] == "flush"


def test_a_server_that_was_removed_is_a_change() -> None:
    found = checked(removed=["a/old"])
    assert headline(found) == "1 server removed since main (0123456789), and none to check"
    assert notes(found) == ["a/old was removed"]
    assert headline(checked()) == "no server or scenario has changed since main (0123456789)"


def test_what_is_worse_is_bold_in_markdown() -> None:
    grew = CpuChange("worse", before=2.0, now=3.0, change=0.5, low=0.4, high=0.6)
    said = markdown(checked(row("hello", grew), row("page")))
    assert "| **a/two** | **yes** | **hello** | **yes** | **2.0&nbsp;→&nbsp;3.0&nbsp;µs** |" in said
    assert "|  |  | page | yes |  |  |  |" in said


def test_what_a_clone_lacks_is_told_first() -> None:
    found = checked(removed=["a/old"])
    found.changes = replace(found.changes, cautions=("the commit is not here",))
    assert notes(found) == ["the commit is not here", "a/old was removed"]
    assert validated("check", dumps(found))["cautions"] == ["the commit is not here"]


def test_one_reason_is_told_once_for_all_scenarios() -> None:
    found = notes(checked(row("hello", OPEN), row("json", OPEN), row("page")))
    assert found == ["a/two hello, json: not settled: the time budget ended first"]


def test_a_budget_that_was_too_short_names_one_that_is_long_enough() -> None:
    found = notes(checked(row("hello", OPEN), needed_s=385.0))
    assert found[1:] == [
        "the budget was too short for all comparisons, which take about 7 min here: --budget 7m"
    ]
    assert len(notes(checked(row("hello", OPEN), needed_s=385.0, interrupted=True))) == 1
    assert not notes(checked(row("hello"), needed_s=385.0))


def test_the_plan_of_a_run_does_not_name_another_budget_than_the_check_does() -> None:
    plan = planned(study_of("100s"))
    heard: list[Event] = []
    tell = of_a_share(heard.append)
    tell(PlanMade(plan=plan))
    tell(Noted(text="others"))
    made, other = heard
    assert other == Noted(text="others")
    view = RunProgress()
    view.event(made)
    assert "--budget" not in " ".join(view.notes)
    view.event(PlanMade(plan=plan))
    assert "--budget" in " ".join(view.notes)


@pytest.mark.parametrize(("share_s", "all_s", "needed_s"), [(60, 90, 180), (60, 50, 0)])
def test_the_budget_that_is_needed_grows_with_each_servers_share(
    share_s: float, all_s: float, needed_s: float
) -> None:
    everything = all_s <= share_s
    plan = SimpleNamespace(budget_s=share_s, all_s=all_s, everything=everything, cells=[])
    run: Any = SimpleNamespace(plan=plan, trials=[])
    assert _needed_s(run, 120.0) == needed_s
    assert _needed_s(SimpleNamespace(plan=None), 120.0) == 0.0  # type: ignore[arg-type]


@pytest.mark.parametrize(("blocks", "needed_s"), [(1, 2 * 90), (3, 0)])
def test_trials_that_took_longer_than_planned_need_a_longer_budget(
    blocks: int, needed_s: float
) -> None:
    key = ("json", "turns")
    cell = SimpleNamespace(key=key, blocks=3, seconds={"now": 5.0, "then": 5.0, "control": 5.0})
    plan = SimpleNamespace(budget_s=60.0, all_s=45.0, everything=True, cells=[cell])
    took = [
        SimpleNamespace(cell=key, block=b, entry=entry, took_s=10.0)
        for b in range(blocks)
        for entry in cell.seconds
    ]
    run: Any = SimpleNamespace(plan=plan, trials=took)
    assert _needed_s(run, 120.0) == needed_s


@pytest.mark.parametrize(
    ("entry", "told"),
    [("a/two", "still warming"), (baseline_label("a/two"), "its former version: still warming")],
)
def test_why_one_is_not_ranked_does_not_say_twice_that_it_is_not_settled(
    entry: str, told: str
) -> None:
    left = SimpleNamespace(entry=entry, reason="not settled: still warming")
    verdict = SimpleNamespace(scenario="hello", not_ranked=[left])
    run: Any = SimpleNamespace(verdicts=[verdict])
    assert _not_ranked(run, "hello", "a/two") == told


def test_what_was_not_measured_has_no_figures() -> None:
    assert "→" not in markdown(checked(row("hello", OPEN)))
    assert "→" in markdown(checked(row("hello", CpuChange("no worse", before=2.0, now=2.0))))


def test_an_interval_on_one_side_of_none_does_not_look_as_if_it_held_it() -> None:
    change = CpuChange("not settled", before=2.0, now=2.1, change=0.02, low=0.0004, high=0.04)
    said = markdown(checked(row("hello", change))).replace("&nbsp;", " ")
    assert "+2.0% [+0.04, +4.0]" in said
