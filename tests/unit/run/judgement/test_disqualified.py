"""One proven lie disqualifies an entry in all cells of its scenario; a fault does not."""

from __future__ import annotations

import pytest

from support.synthetic_run import SERVERS, build_run
from webdyno.catalog import StudyManifest
from webdyno.run.judgement.judge import judge, still_needed
from webdyno.store.disqualification import disqualifications, without_disqualified
from webdyno.store.records import RunRecord
from webdyno.verifier import Breakdown, Mismatch

LIE = "not proven: the count follows the row"


@pytest.fixture
def run() -> RunRecord:
    return build_run(blocks=9, seconds=3, scenarios=("json",), servers=SERVERS[:4])


def lying(run: RunRecord, entry: str, times: int = 1) -> RunRecord:
    mine = [index for index, trial in enumerate(run.trials) if trial.entry == entry][:times]
    failed = {"status": "failed", "reason": LIE, "lie": LIE}
    trials = [
        trial.model_copy(update=failed) if index in mine else trial
        for index, trial in enumerate(run.trials)
    ]
    return run.model_copy(update={"trials": trials})


def study(run: RunRecord) -> StudyManifest:
    return StudyManifest.model_validate(
        {
            "name": "mine",
            "title": "Mine",
            "question": "Which?",
            "servers": run.study.servers,
            "control": run.study.control,
            "scenarios": ["json"],
            "loads": run.study.as_stored()["loads"],
        }
    )


def test_three_lies_in_nine_trials_are_not_outvoted(run: RunRecord) -> None:
    lied = lying(run, "node/http", 3)
    (verdict,) = judge(study(lied), lied.trials)
    assert verdict.disqualified == ["node/http"]
    assert "node/http" not in {one for group in verdict.groups for one in group}
    assert "node/http" not in verdict.medians
    assert "node/http" not in verdict.intervals
    (left,) = [one for one in verdict.not_ranked if one.entry == "node/http"]
    assert left.reason == f"disqualified: {LIE}; seen in 3 of 9 trials"


def test_nobody_measures_it_again(run: RunRecord) -> None:
    lied = lying(run, "node/http")
    needed = still_needed(study(lied), lied.trials)
    assert "node/http" not in {entry for entry, _, _ in needed}


def test_the_twin_of_a_liar_is_the_same_program(run: RunRecord) -> None:
    lied = lying(run, "go/net-http (control)")
    assert disqualifications(lied.trials).keys() == {
        ("json", "go/net-http"),
        ("json", "go/net-http (control)"),
    }
    (verdict,) = judge(study(lied), lied.trials)
    assert verdict.control is None


def test_other_loads_of_the_scenario_are_out_too_and_other_scenarios_are_not(
    run: RunRecord,
) -> None:
    again = [trial.model_copy(update={"load": "open-500"}) for trial in run.trials]
    other = [trial.model_copy(update={"scenario": "hello"}) for trial in run.trials]
    trials = lying(run, "node/http").trials + again + other
    kept = without_disqualified(trials)
    assert not [t for t in kept if t.entry == "node/http" and t.scenario == "json"]
    assert len([t for t in kept if t.entry == "node/http" and t.scenario == "hello"]) == 9


@pytest.mark.parametrize(
    ("mismatch", "broke"),
    [
        (
            Mismatch("not proven: unknown paths are answered 404: x", seen="x was answered 500"),
            True,
        ),
        (Mismatch("not proven: y", seen="answered 503: b''"), True),
        (Mismatch("GET /greet was answered 500, without the counts"), True),
        (Breakdown("GET /: no answer within 10 s"), True),
        (Mismatch("not proven: y", seen="/x was answered 404"), False),
        (Mismatch("not proven: y", seen="n=5 was answered b'answered 500'"), False),
        (Mismatch("not proven: y", seen="n=500 was answered b'abc'"), False),
        (Mismatch("not proven: y", seen="the body is b'Count is 500', not 'Count is 7'"), False),
    ],
)
def test_a_breakdown_is_told_from_a_lie(mismatch: Mismatch, broke: bool) -> None:
    assert mismatch.is_breakdown is broke
