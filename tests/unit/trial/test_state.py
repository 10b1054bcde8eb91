"""What a trial hands on to the next of the same start."""

from __future__ import annotations

from webdyno.store.records import Warmup
from webdyno.trial.state import TrialState
from webdyno.trial.turn_taking.regime import Regime


def test_what_another_start_would_cost_is_known_under_later_loads() -> None:
    # A later load only comes on fresh connections, which takes a second; to start anew for it
    # would take the whole warm-up again.
    first = TrialState()
    first.warmed_up(Warmup(seconds=20.0, steady=True))
    second = first.next(Regime())
    second.warmed_up(Warmup(seconds=1.0, steady=True))
    assert second.warmed_s == 21.0


def test_a_server_that_was_not_warm_is_not_taken_for_warm_under_the_next_load() -> None:
    first = TrialState(not_steady="after 20 s of warm-up it was still getting faster")
    first.warmed_up(Warmup(seconds=20.0, steady=True))
    second = first.next(Regime())
    assert second.warmup is None
    assert second.warmed_s == 20.0
