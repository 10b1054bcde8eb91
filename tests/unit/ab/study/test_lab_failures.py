"""A comparison in which the machine keeps trials from being made."""

from __future__ import annotations

from typing import Any

import pytest

from support.compared_run import run_of
from webdyno.ab.conclusion.broken import broken_of, is_broken_for_good
from webdyno.ab.study.lab_failures import check_lab_failures
from webdyno.ab.study.pairing import Pairing
from webdyno.errors import UserError
from webdyno.store.records import FlagRecord, RunRecord
from webdyno.trial.assessment.of_the_lab import GENERATOR_FAILED, SERVICE_FAILED
from webdyno.trial.watching.stalls import STOOD

NO_SERVICE = (SERVICE_FAILED, "error", "postgresql: exited during its start: no space")
NO_LOAD = (GENERATOR_FAILED, "error", "engine: load: no thread can be started")
STILL = (STOOD, "failed", "the load generator itself stood still for 2.0 s; measure it again")


def failing(
    pair: Pairing, blocks: int, how: tuple[str, str, str], spared: tuple[str, ...] = ()
) -> RunRecord:
    """A run of which all trials failed so, but for those of the `spared` entries."""
    code, status, reason = how
    run = run_of(pair, blocks)
    bad: dict[str, Any] = {
        "status": status,
        "reason": reason,
        "flags": [FlagRecord(code=code, message=reason)],
        "measurement": None,
    }
    run.trials = [one if one.entry in spared else one.model_copy(update=bad) for one in run.trials]
    return run


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (NO_SERVICE, "postgresql: exited during its start: no space; mend that, and compare"),
        (NO_LOAD, "engine: load: no thread can be started; mend that, and compare"),
        (STILL, "stood still for 2.0 s; end what else uses this machine's CPUs, and compare"),
    ],
)
def test_one_that_fails_in_every_trial_ends_after_a_block(
    pair: Pairing, how: tuple[str, str, str], told: str
) -> None:
    run = failing(pair, 1, how)
    assert is_broken_for_good(pair, run)
    assert broken_of(pair, run) == []
    with pytest.raises(UserError, match=f"6 trials failed by this machine, .* {told}"):
        check_lab_failures(pair, run)


@pytest.mark.parametrize("spared", [("shop/b",), ("shop/a", "shop/a (control)")])
def test_one_version_that_cannot_be_measured_ends_it_after_two_blocks(
    pair: Pairing, spared: tuple[str, ...]
) -> None:
    assert not is_broken_for_good(pair, failing(pair, 1, NO_LOAD, spared))
    run = failing(pair, 2, NO_LOAD, spared)
    assert is_broken_for_good(pair, run)
    with pytest.raises(UserError, match="shop could not be measured: 4 trials failed"):
        check_lab_failures(pair, run)


def test_a_failure_now_and_then_does_not_end_it(pair: Pairing) -> None:
    run = failing(pair, 2, NO_SERVICE)
    made = run_of(pair, 2).trials
    for place in (0, 1, 2):
        run.trials[place] = made[place]
    assert not is_broken_for_good(pair, run)
    check_lab_failures(pair, run)
