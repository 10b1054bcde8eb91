"""Where a search for the rate at an objective begins, after a warm-up of any kind."""

from __future__ import annotations

import pytest

from webdyno.store.records import Warmup
from webdyno.trial.loads.search import probed_rps
from webdyno.verdict.search.objective import Search
from webdyno.verdict.search.objective_step import Goal

GOAL = Goal(quantile=0.9, limit_s=0.5, errors=0.05, tolerance=0.05, step_s=1.0)


@pytest.mark.parametrize(
    ("rates", "begins"),
    [
        ([100.0, 400.0, 420.0], 400.0),
        ([0.0, 0.0, 300.0], 100.0),  # It stood still at first.
        ([0.0, 0.0, 0.0], 25.0),  # Steps of 8 s show the 100 answers that 90% needs at 12.5/s.
        ([], 25.0),
    ],
)
def test_a_search_begins_where_the_warm_up_was(rates: list[float], begins: float) -> None:
    ticks = [(place / 10, rate) for place, rate in enumerate(rates, 1)]
    warmup = Warmup(seconds=0.3, steady=False, steady_after_s=None, kind="warming up", ticks=ticks)
    search = Search(GOAL, probed_rps(warmup), 200.0)
    assert search.probe_rps == pytest.approx(begins)
    assert search.next() is not None


def test_what_was_steady_counts_alone() -> None:
    ticks = [(0.1, 10.0), (0.2, 20.0), (0.3, 500.0), (0.4, 510.0), (0.5, 520.0)]
    warmup = Warmup(seconds=0.5, steady=True, steady_after_s=0.2, kind="warming up", ticks=ticks)
    assert probed_rps(warmup) == 510.0
