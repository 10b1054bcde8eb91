"""The simulation agrees with what is known by other means."""

from functools import partial

import pytest
from benchmarks.truth import models
from benchmarks.truth.simulate import arrivals, latencies, quantile, truth


def test_m_d_1_waits_as_pollaczek_and_khinchine_say() -> None:
    service, rate = 0.0005, 1_000
    due = arrivals("poisson", rate, 300, seed=5)
    measured = latencies(due, models.queue(500), connections=1_000)
    wait = sum(measured) / len(measured) - service
    load = rate * service
    assert wait == pytest.approx(load * service / (2 * (1 - load)), rel=0.03)


def test_a_stall_is_seen_by_all_who_were_due_in_it() -> None:
    # Of every 2 s, 201 requests wait: those due in the stall, and the one it caught at work.
    found = truth("uniform", 1_000, 4, models.stall, 64)
    assert found[0.5] == pytest.approx(1.0)
    assert found[0.95] == pytest.approx(103, abs=1.5)
    assert found[0.999] == pytest.approx(200, abs=1.5)


def test_few_connections_queue() -> None:
    # Twice what one connection can carry: the last of 100 waits for half of the time.
    due = [number / 2_000 for number in range(100)]
    measured = latencies(due, lambda arrival: arrival + 0.001, connections=1)
    assert measured[-1] == pytest.approx(0.001 + 99 / 2_000)


def test_pareto_times_have_the_distribution_s_median() -> None:
    model = models.heavy()
    times = sorted(model(0.0) * 1_000 for _ in range(20_000))
    assert quantile(times, 0.5) == pytest.approx(0.5 * 2 ** (1 / 1.5), rel=0.03)


def test_a_slow_start_ends_after_two_seconds() -> None:
    model = models.slow_start()
    taken = [model(time) - time for time in (10.0, 11.0, 12.0, 15.0)]
    assert taken == pytest.approx([0.020, 0.0105, 0.001, 0.001])


def test_a_queue_s_model_is_made_anew_for_each_run() -> None:
    make = partial(models.queue, 500)
    assert make()(0.0) == make()(0.0) == pytest.approx(0.0005)
