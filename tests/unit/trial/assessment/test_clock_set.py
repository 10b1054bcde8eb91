"""A system's clock that is set during a trial proves nothing against the server."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import cast

import pytest

from webdyno.trial import state as state_module
from webdyno.trial.assessment.failures import failures_told
from webdyno.trial.plan import TrialPlan
from webdyno.trial.state import TrialState
from webdyno.verifier import Breakdown, Mismatch, Verifier
from webdyno.verifier.stamped import StampedParts

PLAN = cast(TrialPlan, SimpleNamespace(load=None))


class ByTheDay(StampedParts):
    pass


def outcome(
    monkeypatch: pytest.MonkeyPatch,
    set_by_s: float,
    kind: type[Verifier] = ByTheDay,
    error: type[Mismatch] = Mismatch,
) -> tuple[str, str]:
    """Status and reason of a trial in which an event was made half a second too late."""
    verifier = SimpleNamespace(reads_the_day=kind.reads_the_day, evidence=[], phase="during")
    state = TrialState(verifier=cast(Verifier, verifier))
    clock = SimpleNamespace(time=lambda: time.time() + set_by_s, monotonic=time.monotonic)
    monkeypatch.setattr(state_module, "time", clock)
    with failures_told(PLAN, state):
        raise error("event 0 was made 0.497996 s after it arrived")
    assert state.lie == ""
    return state.status, state.reason


@pytest.mark.parametrize(("set_by_s", "told"), [(-0.5, "-0.50"), (0.5, "+0.50"), (-0.05, "-0.05")])
def test_a_clock_that_was_set_is_an_error_and_no_lie(
    monkeypatch: pytest.MonkeyPatch, set_by_s: float, told: str
) -> None:
    status, reason = outcome(monkeypatch, set_by_s)
    assert status == "error"
    assert reason.startswith(f"the system's clock was set by {told} s during the trial")


def test_without_it_the_server_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = ("failed", "event 0 was made 0.497996 s after it arrived")
    assert outcome(monkeypatch, 0.0) == failed
    # Where no time of day is judged, the clock does not matter.
    assert outcome(monkeypatch, -0.5, kind=Verifier) == failed


def test_what_broke_down_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(monkeypatch, -0.5, error=Breakdown)[0] == "failed"
