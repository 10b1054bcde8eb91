"""What a machine carries within an objective, by simulated queues."""

from __future__ import annotations

import numpy as np
import pytest

from webdyno.capacity.objective import objective
from webdyno.capacity.service import MeasuredService
from webdyno.capacity.simulate import SimulatedMachine, requests_for
from webdyno.capacity.traffic import DayCurve
from webdyno.errors import UserError
from webdyno.store.histograms import Distribution

EVEN = DayCurve.with_peak(1.0)


GOAL = objective("p99 < 100ms, errors < 5%")


def exponential(throughput_rps: float, cores: int = 1, values: int = 2000) -> MeasuredService:
    shares = (np.arange(values) + 0.5) / values
    work = Distribution(-np.log(1 - shares) * 1e6, np.ones(values, dtype=np.int64))
    return MeasuredService(throughput_rps, cores, work, 0.0)


def test_the_rate_of_m_m_1_within_an_objective() -> None:
    # In order of arrival 99% stay at most ln(100) / (mu - lambda): at mu = 100/s and 0.1 s, 53.9/s.
    found = SimulatedMachine(exponential(100.0), GOAL, EVEN, "fifo", seed=1).carried_rps()
    assert found == pytest.approx(100 - np.log(100) / 0.1, rel=0.1)


@pytest.mark.slow
def test_a_higher_quantile_is_shown_by_more_requests() -> None:
    goals = [objective(f"{quantile} < 20ms") for quantile in ("p50", "p99", "p99.9", "p99.99")]
    assert [requests_for(goal) for goal in goals] == [20_000, 20_000, 50_000, 500_000]
    # At mu = 1,000/s and 20 ms: 1,000 - ln(1,000) / 0.02, whatever is drawn.
    found = [
        SimulatedMachine(
            exponential(1_000.0, values=100_000), goals[2], EVEN, "fifo", seed
        ).carried_rps()
        for seed in range(4)
    ]
    assert np.mean(found) == pytest.approx(1_000 - np.log(1_000) / 0.02, rel=0.05)


def test_a_quantile_that_no_simulation_shows_is_refused() -> None:
    with pytest.raises(UserError, match=r"quantiles up to p99\.99; search for the rate"):
        objective("p99.999 < 20ms")


def test_no_rate_meets_what_a_single_request_misses() -> None:
    assert SimulatedMachine(exponential(10.0), GOAL, EVEN, "shared", seed=1).carried_rps() == 0.0


def test_the_day_is_calm_away_from_its_peak() -> None:
    curve = DayCurve.with_peak(3.0)
    hours = SimulatedMachine(exponential(100.0), GOAL, curve, "fifo", seed=1).day(70.0)
    assert len(hours) == 24
    assert hours[0].rate_rps == pytest.approx(70.0, rel=0.02)
    assert hours[12].utilisation < hours[0].utilisation / 10
    assert hours[12].latency_s < hours[0].latency_s
    assert hours[1] == hours[23]
    assert sum(h.rate_rps for h in hours) / 24 == pytest.approx(70 / 3, rel=0.01)
