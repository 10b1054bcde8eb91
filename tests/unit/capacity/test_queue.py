"""The simulated queue against the formulas of queueing theory."""

from __future__ import annotations

import math

import numpy as np
import pytest

from webdyno.capacity.queue import Discipline, sojourn_times

pytestmark = pytest.mark.slow

REQUESTS = 150_000
SKIPPED = 5_000


def mean_stay(
    utilisation: float, cores: int, discipline: Discipline, work: str, seed: int = 1
) -> float:
    """Mean time in the queue in units of the mean work, with Poisson arrivals."""
    random = np.random.default_rng(seed)
    arrivals = np.cumsum(random.exponential(1 / (utilisation * cores), REQUESTS))
    asked = np.ones(REQUESTS) if work == "fixed" else random.exponential(1.0, REQUESTS)
    if work == "uneven":
        asked = np.where(random.uniform(size=REQUESTS) < 0.9, 0.5, 5.5)
    return float(sojourn_times(arrivals, asked, cores, discipline)[SKIPPED:].mean())


def erlang_c(cores: int, utilisation: float) -> float:
    """The share of arrivals that wait in M/M/c (Erlang 1917)."""
    load = cores * utilisation
    waiting = load**cores / math.factorial(cores) / (1 - utilisation)
    return waiting / (sum(load**k / math.factorial(k) for k in range(cores)) + waiting)


@pytest.mark.parametrize("discipline", ["shared", "fifo"])
@pytest.mark.parametrize(("cores", "utilisation"), [(1, 0.5), (1, 0.8), (2, 0.8), (8, 0.7)])
def test_m_m_c(discipline: Discipline, cores: int, utilisation: float) -> None:
    # With exponential work the number of requests in progress is the same in both orders.
    expected = 1 + erlang_c(cores, utilisation) / (cores * (1 - utilisation))
    assert mean_stay(utilisation, cores, discipline, "exponential") == pytest.approx(
        expected, rel=0.06
    )


@pytest.mark.parametrize("utilisation", [0.3, 0.6, 0.8])
def test_m_d_1(utilisation: float) -> None:
    # Pollaczek and Khinchine: half the wait of M/M/1, since the work does not vary.
    expected = 1 + utilisation / (2 * (1 - utilisation))
    assert mean_stay(utilisation, 1, "fifo", "fixed") == pytest.approx(expected, rel=0.04)


@pytest.mark.parametrize("work", ["fixed", "exponential", "uneven"])
def test_sharing_does_not_care_how_work_varies(work: str) -> None:
    # M/G/1 with processor sharing: the mean stay depends on the mean work alone (Sakata 1969).
    assert mean_stay(0.7, 1, "shared", work) == pytest.approx(1 / 0.3, rel=0.07)


def test_uneven_work_makes_others_wait_in_order_of_arrival() -> None:
    # Pollaczek and Khinchine: rho E[S^2] / (2 E[S] (1 - rho)), with E[S^2] = 3.25 here.
    expected = 1 + 0.6 * 3.25 / (2 * 0.4)
    assert mean_stay(0.6, 1, "fifo", "uneven") == pytest.approx(expected, rel=0.07)


@pytest.mark.parametrize("discipline", ["shared", "fifo"])
def test_a_request_alone_takes_its_own_time(discipline: Discipline) -> None:
    arrivals, work = np.array([0.0, 10.0, 20.0]), np.array([1.0, 2.0, 3.0])
    assert sojourn_times(arrivals, work, 1, discipline).tolist() == [1.0, 2.0, 3.0]


def test_two_that_share_a_core_take_twice_as_long() -> None:
    arrivals, work = np.array([0.0, 0.0]), np.array([1.0, 2.0])
    assert sojourn_times(arrivals, work, 1, "shared").tolist() == [2.0, 3.0]
    assert sojourn_times(arrivals, work, 1, "fifo").tolist() == [1.0, 3.0]
    assert sojourn_times(arrivals, work, 2, "shared").tolist() == [1.0, 2.0]


def test_percentiles_of_m_m_1() -> None:
    # In order of arrival the stay in M/M/1 is itself exponential, with mean 1 / (1 - rho).
    random = np.random.default_rng(3)
    arrivals = np.cumsum(random.exponential(1 / 0.5, REQUESTS))
    stayed = sojourn_times(arrivals, random.exponential(1.0, REQUESTS), 1, "fifo")
    assert float(np.quantile(stayed, 0.99)) == pytest.approx(-math.log(0.01) * 2, rel=0.05)
