"""Two runs compared, as told in a headline, in Markdown, in JSON, and in JUnit."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from support.output_schemas import validated
from support.small_run import a_run
from support.small_study import trials
from webdyno.report.formats import comparison
from webdyno.report.formats.compare_document import CompareDocument
from webdyno.report.formats.junit import render_junit
from webdyno.run.comparison.broken import NotCompared
from webdyno.run.comparison.compare import Comparison, compare_runs
from webdyno.store.document import written
from webdyno.store.records import RunRecord


def _plain() -> Comparison:
    return compare_runs(a_run("old", trials(6)), a_run("new", trials(6)))


@pytest.fixture
def found() -> Comparison:
    """A regression, two that hold, one broken, one only in the older run."""
    seen = [
        t.model_copy(update={"status": "failed", "reason": "bad \x1b[31m|<&>"})
        if t.server == "node/http" else t
        for t in trials(6, chi=3000.0)
    ]  # fmt: skip
    return compare_runs(a_run("old", trials(6)), a_run("new", seen))


def test_what_became_worse_by_less_than_the_margin_is_in_the_headline() -> None:
    level = next(row.old for row in _plain().rows if row.entry == "go/chi")
    found = compare_runs(a_run("old", trials(6)), a_run("new", trials(6, chi=0.972 * level)))
    (row,) = (row for row in found.rows if row.entry == "go/chi")
    assert row.change is not None
    assert row.change.outcome == "worse"
    assert not row.change.regression
    assert comparison.headline(found) == (
        "no regression beyond 3% in 3 figures, 1 of them inconclusive; worse, but perhaps by less: "
        "go/chi (json)."
    )
    assert "✅" not in comparison.markdown(found)


def test_junit_has_a_failure_for_each_regression(found: Comparison) -> None:
    suite = ElementTree.fromstring(render_junit(found))
    counts = {key: suite.get(key) for key in ("tests", "failures", "skipped")}
    assert counts == {"tests": "3", "failures": "2", "skipped": "0"}
    cases = suite.findall("testcase")
    failed = {case.get("name") for case in cases if case.find("failure") is not None}
    assert failed == {"go/chi throughput_rps", "node/http"}


def test_markdown_and_json_say_the_same(found: Comparison) -> None:
    text = comparison.markdown(found)
    assert text.startswith(
        "### ❌ Webdyno: node/http (json) no longer works; worse by more than 3%"
    )
    assert "**regression**" in text
    data = validated("compare", written(CompareDocument.of(found)))
    assert (data["regressions"], data["broken"]) == (1, 1)
    assert data["rows"][0].keys() >= {"entry", "ratio", "low", "high", "outcome"}


def test_no_regression_is_said_with_how_sure() -> None:
    assert comparison.headline(_plain()) == "no regression beyond 3% in 3 figures."


def test_what_both_runs_have_and_cannot_be_compared_is_in_the_headline() -> None:
    first = trials(6)
    lost = NotCompared(*first[0].place, "measured on another machine")
    gone = NotCompared(
        "go/gone", "json", first[0].load, "only in old: the study of new leaves it out"
    )
    plain = _plain()
    assert comparison.headline(replace(plain, refused=[gone])) == comparison.headline(plain)
    told = replace(plain, refused=[lost, gone])
    assert comparison.headline(told).endswith(f"; not compared: {lost.entry} ({lost.scenario}).")
    assert (told.outcome, replace(plain, refused=[gone]).outcome) == ("not settled", "no worse")
    assert comparison.markdown(told).startswith("### ❔")
    never = [trial.model_copy(update={"status": "failed"}) for trial in plain.old.trials]
    did_not_work = plain.old.model_copy(update={"trials": never})
    assert replace(told, old=did_not_work).outcome == "no worse"


def unsure(found: Comparison, why: str = "the control differs from itself by 9%") -> Comparison:
    return replace(found, rows=[replace(row, unsure=why) for row in found.rows])


def test_what_no_figure_settles_does_not_pass() -> None:
    found = unsure(_plain())
    assert comparison.headline(found).endswith("in 3 figures, 3 of them not settled.")
    assert comparison.markdown(found).startswith("### ❔")
    assert found.outcome == "not settled"
    suite = ElementTree.fromstring(render_junit(found))
    assert (suite.get("tests"), suite.get("skipped"), suite.get("failures")) == ("3", "3", "0")
    assert len(suite.findall(".//skipped")) == 3


def test_markdown_shows_what_a_program_said_as_it_is(found: Comparison) -> None:
    lines = comparison.markdown(unsure(found, "a <b>\n| items[*].id, [*].no `<c*>`")).splitlines()
    (row, *_) = (line for line in lines if "items" in line)
    assert "a &lt;b> \\| items[\\*].id, [\\*].no `<c*>`" in row
    assert row.replace("\\|", "").count("|") == 9
    assert any("bad" in line and "\\|&lt;&amp;>" in line for line in lines)


def test_what_is_inconclusive_is_not_marked_as_shown() -> None:
    wild = [
        trial.model_copy(update={"measurement": trial.measurement.model_copy(
            update={"throughput_rps": trial.measurement.throughput_rps * 2.0 ** (trial.block % 2)}
        )})
        for trial in trials(6)
        if trial.measurement is not None
    ]  # fmt: skip
    found = compare_runs(a_run("old", wild), a_run("new", wild))
    assert "no regression beyond 3% in 3 figures, 3 of them" in comparison.headline(found)
    assert found.outcome == "no worse"
    assert comparison.markdown(found).startswith("### ⚠️")
    assert comparison.markdown(_plain()).startswith("### ✅")


def test_a_single_trial_of_each_is_no_answer() -> None:
    found = compare_runs(a_run("old", trials(1)), a_run("new", trials(1)))
    assert comparison.headline(found) == "nothing was compared: too few trials in 3 figures."
    assert not comparison.markdown(found).startswith("### ✅")
    suite = ElementTree.fromstring(render_junit(found))
    assert (suite.get("tests"), suite.get("skipped")) == ("3", "3")


@pytest.mark.parametrize("limit", ["generator-bound", "network"])
def test_what_was_limited_in_both_runs_is_named_and_fails_nothing(limit: str) -> None:
    def limited(name: str, *limited_servers: str) -> RunRecord:
        run = a_run(name, trials(6))
        for trial in run.trials:
            trial.bottleneck = limit if trial.server in limited_servers else "server-bound"
        return run

    found = compare_runs(limited("old", "go/gin"), limited("new", "go/gin"))
    assert (found.outcome, len(found.passed_over)) == ("no worse", 0)
    assert comparison.headline(found) == (
        "no regression beyond 3% in 2 figures; limited by the load generator or the network, as "
        "before: go/gin (json)."
    )
    assert validated("compare", written(CompareDocument.of(found)))["limited_in_both"] == 1
    # One that had a figure, or has one now, may have lost it by becoming slower.
    for old, new in ((["go/gin"], []), ([], ["go/gin"])):
        told = compare_runs(limited("old", *old), limited("new", *new))
        assert (told.outcome, told.limited_in_both) == ("not settled", [])
    # Nor does a server count as limited that does its work no more.
    failing = limited("new", "go/gin")
    for trial in failing.trials:
        trial.status = "failed" if trial.server == "go/gin" else "ok"
    assert compare_runs(limited("old", "go/gin"), failing).outcome == "worse"
