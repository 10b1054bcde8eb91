"""From trials to the answer: its words and its exit code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.compared_run import STARTED, claim, run_of
from webdyno.ab.conclusion.about import About
from webdyno.ab.conclusion.answer import answer_of, conclude
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.conclusion.claims import Claim
from webdyno.ab.conclusion.words import signed, size_of, spent, waited
from webdyno.ab.study.pairing import Pairing
from webdyno.run.blocks.make_blocks import conclude as judged
from webdyno.store.records import RunRecord, Skipped
from webdyno.store.trial import SetupRecord


def test_a_slower_version_is_told_with_its_interval(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 6, slower=0.10), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("worse", 1)
    assert found.headline.startswith("B is slower than A by ")
    assert "in CPU per request" in found.headline
    cpu = next(claim for claim in found.claims if claim.metric == "cpu_us_per_request")
    assert cpu.change == pytest.approx(0.10, abs=0.04)
    assert cpu.low is not None
    assert cpu.high is not None
    assert 0 < cpu.low < cpu.change < cpu.high
    throughput = next(claim for claim in found.claims if claim.metric == "throughput_rps")
    assert throughput.outcome == "worse"
    assert throughput.change == pytest.approx(-0.09, abs=0.03)


def test_a_faster_version_is_no_worse(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 6, slower=-0.15), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("no worse", 0)
    assert found.headline.startswith("B is faster than A by ")


@pytest.mark.slow
def test_the_same_is_said_to_be_the_same(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 40), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("no worse", 0)
    assert found.headline.startswith("No difference of 3% or more in ")
    assert found.headline.endswith("; one would have been seen.")


def test_a_b_that_fails_is_worse(pair: Pairing) -> None:
    run = run_of(pair, 3)
    bad = [
        trial.model_copy(update={"status": "failed", "reason": "wrong answers under load"})
        if trial.server == "shop/b"
        else trial
        for trial in run.trials
    ]
    run = run.model_copy(update={"trials": bad})
    judged(pair.study, run)
    found = answer_of(pair, run, AnswersCompared(1))
    assert found.exit_code == 1
    assert found.headline == "B fails verification: wrong answers under load"
    unbuilt = RunRecord(
        id="x", study=run.study, command="", started=STARTED,
        skipped=[Skipped(server="shop/b", reason="'npm ci' exited with 1")],
    )  # fmt: skip
    told = answer_of(pair, unbuilt, AnswersCompared(0))
    assert told.headline == "B could not be built: 'npm ci' exited with 1"
    assert {one.reason for one in told.claims} == {"B could not be built"}


def test_no_budget_is_named_beside_a_version_that_is_broken(pair: Pairing) -> None:
    run = run_of(pair, 0)
    requests = ["GET /", "GET /a"]
    description = pair.description.model_copy(update={"requests": requests})
    several = replace(pair, description=description, short="give --budget 2m")
    for broken, told in (([], 2), ([BrokenVersion("b", "it does not start")], 0)):
        notes = answer_of(several, run, AnswersCompared(1), broken).notes
        assert sum("--budget" in note for note in notes) == told


@pytest.mark.parametrize(("blocks", "stands"), [(0, True), (2, False), (3, False)])
def test_a_budget_thought_too_short_is_not_told_of_beside_what_was_measured(
    pair: Pairing, blocks: int, stands: bool
) -> None:
    run = run_of(pair, blocks)
    notes = answer_of(replace(pair, short="too short"), run, AnswersCompared(1)).notes
    assert ("too short" in notes) == stands


@pytest.mark.parametrize(
    ("requests", "is_told"),
    [(["GET /"], True), (["GET /items"], False), (["GET /", "POST /"], False)],
)
def test_an_answer_about_the_first_page_alone_says_so(
    pair: Pairing, requests: list[str], is_told: bool
) -> None:
    held = {**pair.description.model_dump(exclude_unset=True), "requests": requests}
    asked = replace(pair, description=type(pair.description).model_validate(held))
    run = run_of(pair, 3)
    notes = answer_of(asked, run, AnswersCompared(1)).notes
    assert any(note.startswith("only GET / was requested") for note in notes) is is_told
    failed = answer_of(asked, run, AnswersCompared(1), [BrokenVersion("b", "it does not start")])
    assert not any(note.startswith("only GET /") for note in failed.notes)


def test_why_no_turns_were_taken_is_told_of_a_version_by_its_letter(pair: Pairing) -> None:
    run = run_of(pair, 3)
    setup = SetupRecord(turns_note="shop/b saturated nothing")
    run.trials = [trial.model_copy(update={"setup": setup}) for trial in run.trials]
    told = (
        "the versions did not take turns, because B saturated nothing; small differences take "
        "longer to find"
    )
    assert told in answer_of(pair, run, AnswersCompared(1)).notes


def test_one_trial_that_could_not_be_made_is_not_held_against_a_version(pair: Pairing) -> None:
    for blocks, errors, code in ((1, 1, 3), (1, 2, 1), (3, 1, 3)):
        run = run_of(pair, blocks)
        of_b = [place for place, trial in enumerate(run.trials) if trial.server == "shop/b"]
        for place in of_b[:errors]:
            bad = {"status": "error", "reason": "the machine slept"}
            run.trials[place] = run.trials[place].model_copy(update=bad)
        judged(pair.study, run)
        found = answer_of(pair, run, AnswersCompared(1))
        assert found.exit_code == code, found.headline
        assert ("B fails verification" in found.headline) == (code == 1)


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ([claim("same"), claim("worse", "p99_us", "steady")], 1),
        ([claim("same"), claim("open", "p99_us", "steady")], 0),
        ([claim("same"), claim("open", "throughput_rps")], 3),
        ([claim("better"), claim("worse", "throughput_rps")], 1),
        ([claim("same"), claim("unmeasured", load="steady")], 3),
        ([claim("better"), claim("unmeasured", load="steady")], 3),
        ([claim("worse"), claim("unmeasured", load="steady")], 1),
        ([claim("same"), claim("unmeasured", "p99_us", "steady")], 0),
        # The budget was known to be too short for it.
        ([claim("same"), replace(claim("unmeasured", load="steady"), left_out=True)], 0),
        ([claim("unmeasured"), claim("unmeasured", "p99_us", "steady")], 3),
        ([], 3),
    ],
)
def test_exit_codes(claims: list[Claim], code: int) -> None:
    about = About("shop", ("main", "HEAD"), rate="500/s")
    assert conclude(about, claims, [], AnswersCompared(1), [], []).exit_code == code


@pytest.mark.parametrize(
    ("seconds", "passed", "to_wait"),
    [
        (0.2, "1 s", "1 s"),
        (89.0, "89 s", "89 s"),
        (316.0, "5 min", "6 min"),
        (9e3, "150 min", "3 h"),
    ],
)
def test_times_are_told_as_one_waits(seconds: float, passed: str, to_wait: str) -> None:
    assert (spent(seconds), waited(seconds)) == (passed, to_wait)


@pytest.mark.parametrize(
    ("change", "low", "high", "size", "told"),
    [
        (0.046, 0.031, 0.062, "4.6% [3.1, 6.2]", "+4.6% [+3.1, +6.2]"),
        # Slower for certain, if only just.
        (0.016, 0.0004, 0.032, "1.6% [0.04, 3.2]", "+1.6% [+0.04, +3.2]"),
        (-0.016, -0.032, -0.00007, "1.6% [0.007, 3.2]", "−1.6% [−3.2, −0.007]"),
        (0.016, -0.0004, 0.032, "1.6% [-0.0, 3.2]", "+1.6% [0.0, +3.2]"),
    ],
)
def test_an_interval_that_leaves_out_none_shows_it(
    change: float, low: float, high: float, size: str, told: str
) -> None:
    one = replace(claim("worse"), change=change, low=low, high=high)
    assert (size_of(one), signed(one)) == (size, told)
