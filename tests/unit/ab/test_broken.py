"""When no further trial can change that a version does not do its work."""

from __future__ import annotations

import pytest

from support.compared_run import run_of
from webdyno.ab.broken import broken_of, is_broken_for_good
from webdyno.ab.pairing import Pairing
from webdyno.store.records import RunRecord


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


def test_wrong_answers_need_no_second_look(pair: Pairing) -> None:
    run = run_of(pair, 2)
    place = next(at for at, trial in enumerate(run.trials) if trial.entry == "shop/b")
    run.trials[place] = run.trials[place].model_copy(update={"lie": "other bytes"})
    assert is_broken_for_good(pair, run)
