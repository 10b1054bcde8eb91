"""When no further trial can change that a version does not do its work."""

from __future__ import annotations

import pytest

from support.compared_run import run_of
from webdyno.ab.conclusion.answer import answer_of
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.conclusion.broken import broken_of, failures, is_broken_for_good
from webdyno.ab.study.pairing import Pairing
from webdyno.run.blocks.make_blocks import conclude as judged
from webdyno.store.counts import RequestCounts
from webdyno.store.records import EvidenceRecord, FlagRecord, RunRecord
from webdyno.trial.assessment.unanswered import is_unanswered
from webdyno.trial.watching.stalls import AWAY, STOOD


def failing(pair: Pairing, blocks: int, server: str, status: str, count: int) -> RunRecord:
    """A run in which the first `count` trials of a version, its control aside, end so."""
    run = run_of(pair, blocks)
    mine = [place for place, one in enumerate(run.trials) if one.entry == server]
    for place in mine[:count]:
        bad = {"status": status, "reason": "the server exited with 3"}
        run.trials[place] = run.trials[place].model_copy(update=bad)
    return run


@pytest.mark.parametrize("server", ["shop/a", "shop/b"])
@pytest.mark.parametrize("status", ["failed", "error"])
def test_a_version_of_which_no_trial_counts_is_broken_for_good(
    pair: Pairing, server: str, status: str
) -> None:
    run = failing(pair, 1, server, status, 2)
    assert is_broken_for_good(pair, run)
    assert [one.letter for one in broken_of(pair, run)] == [server[-1]]


@pytest.mark.parametrize(("blocks", "count"), [(1, 0), (1, 1), (2, 3)])
def test_one_that_did_its_work_once_is_given_more_trials(
    pair: Pairing, blocks: int, count: int
) -> None:
    assert not is_broken_for_good(pair, failing(pair, blocks, "shop/b", "failed", count))


def test_a_first_trial_alone_may_be_the_machines(pair: Pairing) -> None:
    run = failing(pair, 1, "shop/b", "failed", 2)
    run.trials = [trial for trial in run.trials if trial.load == "full"]
    assert not is_broken_for_good(pair, run)


LATE = EvidenceRecord(claim="the server answers", ok=False, detail="GET /: no answer within 10 s")
LOST = EvidenceRecord(claim="the server answers", ok=False, detail="GET /: no answer (ReadError)")


@pytest.mark.parametrize(
    ("evidence", "trials", "is_broken"),
    [(LATE, 1, False), (LATE, 2, True), (LOST, 1, True), (LOST, 2, True)],
)
def test_one_answer_that_did_not_come_in_time_may_be_the_machines(
    pair: Pairing, evidence: EvidenceRecord, trials: int, is_broken: bool
) -> None:
    run = failing(pair, 1, "shop/b", "failed", trials)
    run.trials = [
        one.model_copy(update={"evidence": [evidence]}) if one.status == "failed" else one
        for one in run.trials
    ]
    assert bool(broken_of(pair, run)) == is_broken
    # That nothing is answered is found out by the second trial.
    assert is_broken_for_good(pair, run) == (trials == 2)


NEVER = "1 of 3001 requests were never answered"


@pytest.mark.parametrize(
    ("counts", "lie", "reason", "late"),
    [
        ({"ok": 3000, "timed_out": 1}, "", NEVER, True),
        ({"ok": 3000, "timed_out": 1}, "", "the server exited with 3 2.0 s into it", False),
        ({"ok": 3000, "timed_out": 1, "reset": 1}, "", NEVER, False),
        ({"ok": 3000, "reset": 1}, "", NEVER, False),
        ({"ok": 3000, "timed_out": 1, "wrong_status": 1}, "", NEVER, False),
        ({"ok": 3000, "timed_out": 1}, "other bytes", NEVER, False),
    ],
)
def test_only_what_came_too_late_is_asked_again(
    pair: Pairing, counts: dict[str, int], lie: str, reason: str, late: bool
) -> None:
    run = failing(pair, 1, "shop/b", "failed", 1)
    trial = next(one for one in run.trials if one.status == "failed")
    assert trial.measurement is not None
    counted = RequestCounts(offered=3001, **counts)
    measured = trial.measurement.model_copy(update={"counts": counted})
    changed = {"measurement": measured, "lie": lie, "reason": reason}
    assert is_unanswered(trial.model_copy(update=changed)) == late


def test_a_moment_without_answers_is_asked_again_as_well(pair: Pairing) -> None:
    said = "it gave no answer for 1.2 s, 0.5 s into the load, while 32 requests waited"
    run = failing(pair, 1, "shop/b", "failed", 1)
    trial = next(one for one in run.trials if one.status == "failed")
    for code, late in ((AWAY, True), (STOOD, False)):
        flags = [FlagRecord(code=code, message=said)]
        stalled = trial.model_copy(update={"flags": flags, "reason": said})
        assert is_unanswered(stalled) == late
        assert not is_unanswered(stalled.model_copy(update={"reason": "it exited with 3"}))


def test_wrong_answers_need_no_second_look(pair: Pairing) -> None:
    run = run_of(pair, 2)
    place = next(at for at, trial in enumerate(run.trials) if trial.entry == "shop/b")
    run.trials[place] = run.trials[place].model_copy(update={"lie": "other bytes"})
    assert is_broken_for_good(pair, run)


@pytest.mark.parametrize("letters", ["b", "ab"])
def test_that_the_lab_stood_still_says_nothing_against_a_version(
    pair: Pairing, letters: str
) -> None:
    said = "the load generator itself stood still for 2.0 s, 1.0 s into the load; measure it again"
    stood = {"status": "failed", "reason": said, "flags": [FlagRecord(code=STOOD, message=said)]}
    run = run_of(pair, 3)
    run.trials = [
        one.model_copy(update=stood) if one.entry[-1] in letters else one for one in run.trials
    ]
    judged(pair.study, run)
    assert broken_of(pair, run) == []
    assert not is_broken_for_good(pair, run)
    found = answer_of(pair, run, AnswersCompared(1))
    assert found.outcome == "not settled"
    assert "the load generator itself stood still" in found.headline
    # A fault of its own in the same trial still counts.
    own = {**stood, "reason": "its threads may run on CPU 1"}
    run.trials = [one.model_copy(update=own) for one in run.trials]
    assert [one.letter for one in broken_of(pair, run)] == ["a", "b"]


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        (
            "status: expected 2xx, got 429",
            "; raise the limit on requests of the service while it is compared",
        ),
        ("status: expected 2xx, got 500", ""),
        ("counter: expected 430, got 429", ""),
    ],
)
def test_a_limit_on_requests_is_told_with_what_helps(pair: Pairing, said: str, remedy: str) -> None:
    why = f"wrong answers under load: wrong status 9 of 99; {said}"
    run = failing(pair, 2, "shop/a", "failed", 4)
    run.trials = [
        one.model_copy(update={"reason": why}) if one.status == "failed" else one
        for one in run.trials
    ]
    assert [one.reason for one in broken_of(pair, run)] == [f"{why}{remedy}"]


@pytest.mark.parametrize(("count", "is_broken"), [(2, False), (3, True)])
def test_half_of_the_trials_of_one_load_are_enough(
    pair: Pairing, count: int, is_broken: bool
) -> None:
    run = run_of(pair, 6)
    full = [at for at, one in enumerate(run.trials) if (one.entry, one.load) == ("shop/b", "full")]
    for place in full[:count]:
        bad = {"status": "failed", "reason": "the server exited with 3"}
        run.trials[place] = run.trials[place].model_copy(update=bad)
    assert [one.letter for one in broken_of(pair, run)] == ["b"] * is_broken
    # Answers that came too late may be the machine's doing.
    late = {"evidence": [LATE]}
    run.trials = [
        one.model_copy(update=late) if one.status == "failed" else one for one in run.trials
    ]
    assert broken_of(pair, run) == []


def test_the_reason_is_one_of_the_load_that_failed(pair: Pairing) -> None:
    run = run_of(pair, 6)
    full = [at for at, one in enumerate(run.trials) if (one.entry, one.load) == ("shop/b", "full")]
    busy = "other programs took the CPU"
    flagged = {"flags": [FlagRecord(code="interference", message=busy)], "reason": busy}
    exited = {"reason": "the server exited with 3"}
    for place, why in zip(full[:4], (flagged, exited, exited, exited), strict=True):
        run.trials[place] = run.trials[place].model_copy(update={"status": "failed", **why})
    assert [one.reason for one in broken_of(pair, run)] == ["the server exited with 3"]
    # Without those that a flag tells of, it is less than half.
    run.trials[full[3]] = run.trials[full[3]].model_copy(update=flagged)
    assert broken_of(pair, run) == []


def test_trials_that_failed_now_and_then_are_told(pair: Pairing) -> None:
    run = failing(pair, 4, "shop/b", "failed", 2)
    said = "B: 2 of 8 trials failed and did not count: the server exited with 3"
    assert said in answer_of(pair, run, AnswersCompared(1)).notes
    (broken,) = broken_of(pair, failing(pair, 4, "shop/b", "failed", 4))
    assert list(failures(pair, run, [broken])) == []
    # One that the user cut short did not fail.
    assert list(failures(pair, failing(pair, 4, "shop/b", "interrupted", 1), [])) == []


EXITED = {"status": "failed", "reason": "the server exited with 3"}


def failing_in(run: RunRecord, entry: str, blocks: int, **change: object) -> RunRecord:
    """The run in which the full load of an entry fails in the first `blocks`, by `change`."""
    trials = [
        one.model_copy(update=change)
        if (one.entry, one.load) == (entry, "full") and one.block < blocks
        else one
        for one in run.trials
    ]
    return run.model_copy(update={"trials": trials})


@pytest.mark.parametrize(("count", "outcome"), [(2, "no worse"), (3, "worse")])
def test_b_is_worse_if_it_fails_more_often_than_chance_explains(
    pair: Pairing, count: int, outcome: str
) -> None:
    run = failing_in(run_of(pair, 10), "shop/b", count, **EXITED)
    found = answer_of(pair, run, AnswersCompared(1))
    assert (found.outcome, found.exit_code) == (outcome, int(outcome == "worse"))
    said = (
        "B fails verification: 3 of 20 trials failed, but none of A's 40, its control's included: "
        "the server exited with 3"
    )
    assert (found.headline == said) == (outcome == "worse")
    # What was measured of the other trials is still shown.
    assert all(one.blocks for one in found.claims if not one.request)


def test_what_fails_both_versions_is_not_held_against_b(pair: Pairing) -> None:
    run = failing_in(run_of(pair, 10), "shop/b", 4, **EXITED)
    assert [one.letter for one in broken_of(pair, run)] == ["b"]
    for entry in ("shop/a", "shop/a (control)"):
        assert broken_of(pair, failing_in(run, entry, 3, **EXITED)) == []
    # Nor that A fails where B does not.
    assert broken_of(pair, failing_in(run_of(pair, 10), "shop/a", 4, **EXITED)) == []


def test_what_the_machine_did_is_not_held_against_b_however_often(pair: Pairing) -> None:
    busy = "other programs took the CPU"
    for code, reason, evidence in (
        ("interference", busy, []),
        (STOOD, "the load generator itself stood still", []),
        ("", "GET /: no answer within 10 s", [LATE]),
    ):
        flags = [FlagRecord(code=code, message=reason)] if code else []
        change = {"status": "failed", "reason": reason, "flags": flags, "evidence": evidence}
        assert broken_of(pair, failing_in(run_of(pair, 10), "shop/b", 4, **change)) == []


def test_starts_that_fail_more_often_than_a_s_count_as_well(pair: Pairing) -> None:
    change = {"status": "error", "reason": "the server exited with 1 before it answered"}
    (found,) = broken_of(pair, failing_in(run_of(pair, 10), "shop/b", 4, **change))
    assert found.reason.startswith("4 of 20 trials could not be made, but none of A's 40")


def test_trials_of_one_start_are_one_failure(pair: Pairing) -> None:
    run = failing_in(run_of(pair, 10), "shop/b", 2, **EXITED)
    run.trials = [
        one.model_copy(update=EXITED) if one.entry == "shop/b" and one.block < 2 else one
        for one in run.trials
    ]
    assert broken_of(pair, run) == []


def test_trials_that_could_not_be_made_have_not_failed(pair: Pairing) -> None:
    run = failing(pair, 4, "shop/b", "error", 2)
    said = "B: 2 of 8 trials could not be made and did not count: the server exited with 3"
    assert list(failures(pair, run, [])) == [said]
    place = next(at for at, one in enumerate(run.trials) if one.status == "error")
    own = {"status": "failed", "reason": "wrong bytes"}
    run.trials[place] = run.trials[place].model_copy(update=own)
    said = "B: 2 of 8 trials failed or could not be made and did not count: wrong bytes"
    assert list(failures(pair, run, [])) == [said]


def test_trials_of_the_control_are_told_but_break_no_version(pair: Pairing) -> None:
    run = failing(pair, 4, "shop/a (control)", "failed", 5)
    said = "A's control: 5 of 8 trials failed and did not count: the server exited with 3"
    assert list(failures(pair, run, [])) == [said]
    assert broken_of(pair, run) == []
    assert not is_broken_for_good(pair, run)
