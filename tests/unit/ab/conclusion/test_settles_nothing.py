"""Where an answer settles nothing, and why."""

from __future__ import annotations

import pytest
from rich.console import Console

from support.compared_run import run_of
from webdyno.ab.conclusion.answer import ComparisonAnswer, answer_of
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.conclusion.claims import Pace, claim_of
from webdyno.ab.conclusion.show import show
from webdyno.ab.study.confidence import FigureKey
from webdyno.ab.study.pairing import Pairing
from webdyno.run.blocks.make_blocks import conclude as judged
from webdyno.store.agenda import PlannedCell, PlanRecord
from webdyno.store.records import RunRecord
from webdyno.store.verdicts import NotRanked


def test_too_little_is_not_settled_and_says_what_it_takes(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 4), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("not settled", 3)
    assert "but B may differ from A by up to " in found.headline
    assert found.headline.endswith("more are needed for 3%.")
    few = answer_of(pair, run_of(pair, 2), AnswersCompared(1))
    assert few.exit_code == 3
    assert "2 of the 3 blocks" in few.headline
    assert few.headline.endswith(" more are needed.")


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        (0, "Not settled: the run was interrupted."),
        (2, "Not settled: the run was interrupted after 2 of the 3 blocks needed; about "),
    ],
)
def test_an_interrupt_is_not_told_as_a_lack_of_time(pair: Pairing, blocks: int, told: str) -> None:
    run = run_of(pair, blocks)
    run.status = "interrupted"
    found = answer_of(pair, run, AnswersCompared(1))
    assert found.exit_code == 3
    assert found.headline.startswith(told)
    assert not [note for note in found.notes if "time" in note]


def test_a_machine_that_tells_a_from_itself_settles_nothing(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 8, slower=0.10, again=0.10), AnswersCompared(1))
    assert found.exit_code == 3
    assert "A differs from itself" in found.headline


def without_control(run: RunRecord, pair: Pairing, blocks: int) -> RunRecord:
    """The run with only so many trials of the control under each load."""
    kept = [trial for trial in run.trials if not trial.control or trial.block < blocks]
    run = run.model_copy(update={"trials": kept, "verdicts": []})
    judged(pair.study, run)
    return run


@pytest.mark.parametrize(
    ("blocks", "slower", "code"),
    [(3, 0.20, 1), (6, -0.20, 0), pytest.param(40, 0.0, 0, marks=pytest.mark.slow)],
)
def test_nothing_is_settled_without_the_control(
    pair: Pairing, blocks: int, slower: float, code: int
) -> None:
    run = run_of(pair, blocks, slower=slower)
    assert answer_of(pair, run, AnswersCompared(1)).exit_code == code
    for made, why in ((0, "no time was left for it"), (1, "one valid trial; three are needed")):
        found = answer_of(pair, without_control(run, pair, made), AnswersCompared(1))
        assert found.exit_code == 3
        assert f"the control (A against itself) is missing: {why}" in found.headline
        assert {claim.outcome for claim in found.claims} == {"open"}


@pytest.mark.slow
def test_a_machine_that_differs_by_more_than_the_margin_shows_no_sameness(pair: Pairing) -> None:
    found = answer_of(pair, run_of(pair, 40, again=0.06), AnswersCompared(1))
    assert found.exit_code == 3
    assert "A differs from itself by" in found.headline
    # What differs from itself by next to nothing hides no difference of 3%.
    run = run_of(pair, 190, again=0.006)
    slight = answer_of(pair, run, AnswersCompared(1))
    control = {one.metric: one.control for one in run.verdicts}
    assert any(one is not None and not one.low <= 1 <= one.high for one in control.values())
    assert slight.exit_code == 0


def limited(pair: Pairing, by: str, share: float = 1.0) -> ComparisonAnswer:
    """What is said where that limited so many of the trials under the full load."""
    run = run_of(pair, 6, slower=0.10)
    full = [place for place, trial in enumerate(run.trials) if trial.load == "full"]
    for place in full[: round(share * len(full))]:
        run.trials[place] = run.trials[place].model_copy(update={"bottleneck": by})
    judged(pair.study, run)
    return answer_of(pair, run, AnswersCompared(1))


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("waiting", "the service waited (for a lock, a pool, a database or a timer)"),
        ("service-bound", "the database was the limit"),
        (
            "machine-noise",
            "other programs, the host or a quota took CPU time in 18 of 18 trials under full load: "
            "end those programs or lift the quota; where you cannot, give a longer --budget",
        ),
    ],
)
def test_what_limits_the_full_load_is_told_apart(pair: Pairing, by: str, said: str) -> None:
    notes = limited(pair, by).notes
    assert [said in note for note in notes].count(True) == 1
    # Of each sort only what it was.
    assert sum("under full load" in note or "took CPU time" in note for note in notes) == 1
    assert not any(said in note for note in limited(pair, by, share=0.3).notes)
    assert not any(said in note for note in limited(pair, "server-bound").notes)


def test_what_the_generator_limits_is_not_compared_but_the_cpu_at_a_rate_is(pair: Pairing) -> None:
    found = limited(pair, "generator-bound")
    full = {claim.metric: claim for claim in found.claims if claim.load == "full"}
    assert {claim.outcome for claim in full.values()} == {"unmeasured"}
    assert "generator-bound in 6 of 6 trials" in full["throughput_rps"].reason
    assert found.exit_code == 1
    assert "in CPU per request at 5,000/s" in found.headline
    assert any("not compared: A: generator-bound" in note for note in found.notes)


def only(run: RunRecord, pair: Pairing, blocks: int) -> RunRecord:
    """The run with only so many blocks of the steady load."""
    kept = [trial for trial in run.trials if trial.load == "full" or trial.block < blocks]
    run = run.model_copy(update={"trials": kept, "verdicts": []})
    judged(pair.study, run)
    return run


@pytest.mark.parametrize(
    ("blocks", "why"),
    [
        (0, "CPU per request at 5,000/s is not compared: there was no time left."),
        (2, "there was time for 2 of the 3 blocks needed; about "),
    ],
)
def test_nothing_is_settled_without_a_load_that_decides(
    pair: Pairing, blocks: int, why: str
) -> None:
    run = run_of(pair, 40)
    assert answer_of(pair, run, AnswersCompared(1)).exit_code == 0
    found = answer_of(pair, only(run, pair, blocks), AnswersCompared(1))
    assert (found.outcome, found.exit_code) == ("not settled", 3)
    begins = "Not settled: no difference of 3% or more in CPU per request and throughput, but "
    assert found.headline.startswith(begins)
    assert why in found.headline


def test_a_load_that_the_budget_never_had_room_for_is_told_and_not_waited_for(
    pair: Pairing,
) -> None:
    run = only(run_of(pair, 40), pair, 0)
    full, steady = (
        PlannedCell(scenario="requests", load=load, blocks=3, planned=load == "full")
        for load in ("full", "steady")
    )
    run.plan = PlanRecord(
        question="", scenario="requests", load="full", metric="cpu_us_per_request",
        servers=[], budget_s=30.0, all_s=120.0, cells=[full, steady], entries=[],
    )  # fmt: skip
    found = answer_of(pair, run, AnswersCompared(1))
    assert found.exit_code == 0
    assert found.headline == (
        "No difference of 3% or more in CPU per request and throughput; one would have been seen."
    )
    told = (
        "CPU per request at 5,000/s and p99 latency at 5,000/s are not compared: the budget leaves "
        "no time for the steady load; give a longer --budget"
    )
    assert told in found.notes


def test_nothing_measured_is_told_without_a_table(pair: Pairing) -> None:
    run = run_of(pair, 3).model_copy(update={"trials": [], "verdicts": []})
    found = answer_of(pair, run, AnswersCompared(0), [BrokenVersion("b", "it does not start")])
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    show(found, console=console)
    assert console.export_text().splitlines()[3:] == [
        "B fails verification: it does not start",
        "Nothing was measured.",
        "run 20260504-093000-ab",
    ]


def test_where_both_fail_nothing_is_settled(pair: Pairing) -> None:
    run = run_of(pair, 1)
    both = [BrokenVersion("a", "it does not start"), BrokenVersion("b", "wrong answers")]
    found = answer_of(pair, run, AnswersCompared(0), both)
    assert found.headline == "A fails verification, and B fails verification: it does not start"
    assert found.exit_code == 2


def test_why_a_version_is_not_compared_is_its_own_reason(pair: Pairing) -> None:
    left_out = [NotRanked(entry=label, reason=f"that of {label}") for label in ("shop/b", "shop/a")]
    verdict = run_of(pair, 3).verdicts[0]
    for not_ranked, said in ((left_out, "A: that of shop/a"), (left_out[:1], "B: that of shop/b")):
        one = verdict.model_copy(update={"not_ranked": not_ranked})
        claim = claim_of(("shop/a", "shop/b"), FigureKey(one.load, one.metric), one, Pace(3, 1.0))
        assert claim.reason == said
