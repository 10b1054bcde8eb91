"""Servers that hold all that is asked of them: what they could do beyond is not known."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from support.searched_trials import a_study, a_trial
from support.small_run import a_run
from webdyno.report import summary
from webdyno.report.formats import comparison
from webdyno.report.formats.compare_document import CompareDocument
from webdyno.report.formats.json_export import dumps
from webdyno.report.formats.json_import import read_export
from webdyno.report.numbers import scale_for
from webdyno.report.text.cautions import cautions
from webdyno.report.text.sentences import sentence
from webdyno.run.comparison.compare import compare_runs
from webdyno.run.judgement.judge import judge, still_needed
from webdyno.store.document import plain
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.search import SearchRecord
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy

AT_LEAST = "at-least"


def held(server: str, kinds: list[str], rps: float = 1_000.0) -> list[TrialRecord]:
    """A trial a block, each search of this kind; those that are at least so much met `max_rate`."""
    found = []
    for block, kind in enumerate(kinds):
        trial = a_trial(server, block, rps * (1 + block / 1_000), kind)
        assert trial.search is not None
        if kind == AT_LEAST:
            trial.bottleneck = "offered-load"
            trial.search.capacity_rps, trial.search.reason = 1_000.0, "max_rate is 1,000/s"
        found.append(trial)
    return found


def both(kind: str = AT_LEAST, rps: float = 1_000.0) -> list[TrialRecord]:
    return [*held("node/http", [AT_LEAST] * 4), *held("go/gin", [kind] * 4, rps)]


def searched(id_: str, seen: list[TrialRecord]) -> RunRecord:
    study = a_study()
    return a_run(id_, seen, study=StoredStudy.of(study), verdicts=judge(study, seen))


def test_two_that_hold_all_are_not_called_equal() -> None:
    (verdict,) = judge(a_study(), both())
    assert verdict.ratios == []
    assert verdict.intervals == dict.fromkeys(("node/http", "go/gin"), (1000.0, math.inf))
    assert sentence(verdict) == (
        "go/gin and node/http could not be told apart (each held all that was asked of it)."
    )
    # More blocks would not tell.
    assert not still_needed(a_study(), both())


def test_one_that_fails_below_is_slower_by_that_or_more() -> None:
    (verdict,) = judge(a_study(), both("met", 500.0))
    assert verdict.groups == [["node/http"], ["go/gin"]]
    (ratio,) = verdict.ratios
    assert ratio.outcome == "faster"
    assert 1.8 < ratio.low < 2.0
    assert ratio.high == math.inf


def test_one_that_does_more_than_another_was_asked_for_is_not_faster() -> None:
    (verdict,) = judge(a_study(), both("met", 2_000.0))
    (ratio,) = verdict.ratios
    assert ratio.outcome == "not separated"
    assert ratio.p == 1.0
    assert len(verdict.groups) == 1


@pytest.mark.parametrize("rps", [2_000.0, 1_000.0])
def test_nothing_is_measured_to_settle_what_was_not_asked(rps: float) -> None:
    seen = both("met", rps)
    assert not still_needed(a_study(), seen)
    # It is not settled, and time would not help.
    run = searched("r", seen).model_copy(update={"status": "finished"})
    assert cautions(run) == [
        "More blocks would not tell node/http and go/gin apart in json: node/http held all that "
        "was asked of it (at least 1,000/s: max_rate is 1,000/s)."
    ]


def test_whether_a_bound_lies_above_another_server_is_still_measured() -> None:
    seen = both("met", 950.0)
    for trial, times in zip(seen[-4:], (0.9, 1.1, 0.9, 1.1), strict=True):
        assert trial.search is not None
        trial.search.capacity_rps *= times
    (ratio,) = judge(a_study(), seen)[0].ratios
    assert ratio.outcome == "not separated"
    assert {entry for entry, _, _ in still_needed(a_study(), seen)} == {"node/http", "go/gin"}
    assert any(one.endswith("a longer --budget may help.") for one in cautions(searched("r", seen)))


def test_tables_say_at_least() -> None:
    (section,) = summary.sections(searched("r", both("met", 500.0)))
    scale = scale_for("rate", [1_000.0])
    first, last = section.rows
    assert first.rate_text(scale, "capacity_rps") == "at least 1,000"
    assert first.rate_text(scale, "capacity_rps", unit=True) == "at least 1,000 req/s"
    assert last.rate_text(scale, "capacity_rps") == "501"


def test_no_upper_end_is_stored_as_none_and_read_back(tmp_path: Path) -> None:
    run = searched("r", both())
    (tmp_path / "run.json").write_text(dumps(run))
    assert "Infinity" not in run.model_dump_json() + dumps(run)
    read = read_export(tmp_path / "run.json")
    store = Store.open(tmp_path / "results.sqlite")
    store.save_run(run)
    for trial in run.trials:
        store.add_trial(trial)
    stored = store.run("r")
    store.close()
    for again in (read, stored):
        assert {t.search.high_rps for t in again.trials if t.search} == {math.inf}
        assert again.verdicts[0].intervals == run.verdicts[0].intervals


def test_what_older_versions_stored_as_its_upper_end_is_none() -> None:
    fields = held("go/gin", ["met"])[0].search
    assert fields is not None
    old = {**fields.model_dump(mode="json"), "kind": AT_LEAST, "low_rps": 1_000, "high_rps": 999.5}
    assert SearchRecord.model_validate(old).high_rps == math.inf
    assert SearchRecord.model_validate(old).model_dump(mode="json")["high_rps"] is None


def test_a_run_that_holds_no_more_what_the_older_one_held_is_a_regression() -> None:
    old, new = searched("old", both()), searched("new", both("met", 500.0))
    found = compare_runs(old, new)
    assert [row.entry for row in found.regressions] == ["go/gin"]
    rows = {row.entry: row for row in found.rows}
    assert rows["go/gin"].note == "the older at least 1,000/s: max_rate is 1,000/s"
    # What both hold is no news, and none of it is called equal.
    assert comparison.outcome(rows["node/http"]) == "not separated"
    told = {row["entry"]: row for row in plain(CompareDocument.of(found))["rows"]}
    assert (told["node/http"]["low"], told["node/http"]["high"]) == (0.0, None)
    assert not compare_runs(old, old).regressions


def test_a_single_trial_that_ended_at_a_low_bound_counts_for_no_ratio() -> None:
    others = held("node/http", ["met"] * 4, 2_000.0)
    (clean,) = judge(a_study(), [*others, *held("go/gin", ["met"] * 3, 4_000.0)])
    (verdict,) = judge(a_study(), [*others, *held("go/gin", ["met"] * 3 + [AT_LEAST], 4_000.0)])
    assert verdict.medians["go/gin"] == clean.medians["go/gin"]
    (ratio,), (before,) = verdict.ratios, clean.ratios
    assert ratio.estimate == pytest.approx(before.estimate)
    assert ratio.low > 1.9
