"""What a version leaves undone at its stop is told beside the answer, and decides nothing."""

from __future__ import annotations

import pytest

from support.compared_run import run_of
from webdyno.ab.conclusion.answer import answer_of
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.conclusion.stop_faults import stop_faults
from webdyno.ab.study.pairing import Pairing
from webdyno.store.records import FlagRecord, RunRecord

KILLED = "it had to be killed; end on SIGTERM within 5 s"


def ended(run: RunRecord, servers: tuple[str, ...], killed: int) -> RunRecord:
    """A run in which one start serves both loads, and the first `killed` stops of each of these
    versions have to be made by force."""
    flag = FlagRecord(code="did-not-stop", message=KILLED)
    left = dict.fromkeys(servers, killed)
    trials = []
    for trial in run.trials:
        if trial.load == "full":
            trials.append(trial.model_copy(update={"stop_seconds": None}))
            continue
        flags = list(trial.flags)
        if not trial.control and left.get(trial.entry, 0):
            left[trial.entry] -= 1
            flags.append(flag)
        trials.append(trial.model_copy(update={"stop_seconds": 5.0, "flags": flags}))
    return run.model_copy(update={"trials": trials})


@pytest.mark.parametrize(
    ("servers", "killed", "told"),
    [
        (("shop/b",), 4, [f"B: {KILLED}"]),
        (("shop/b",), 2, [f"B: {KILLED}"]),
        (("shop/a", "shop/b"), 4, [f"A and B: {KILLED}"]),
        # Once in four times, the machine may have been busy.
        (("shop/b",), 1, []),
        ((), 0, []),
    ],
)
def test_a_version_that_has_to_be_killed_is_told(
    pair: Pairing, servers: tuple[str, ...], killed: int, told: list[str]
) -> None:
    run = ended(run_of(pair, 4), servers, killed)
    assert list(stop_faults(pair, run)) == told


def test_it_does_not_make_b_worse(pair: Pairing) -> None:
    run = run_of(pair, 40)
    plain, found = (
        answer_of(pair, one, AnswersCompared(1)) for one in (run, ended(run, ("shop/b",), 40))
    )
    assert (found.outcome, found.headline) == (plain.outcome, plain.headline)
    assert [note for note in found.notes if note not in plain.notes] == [f"B: {KILLED}"]
