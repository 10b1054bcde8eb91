"""Steady state: told from series whose truth is known, at the end and while they grow."""

import time

import numpy as np
import pytest

from webdyno.verdict.steadiness.steady import MAX_WINDOWS, steady_state

WINDOW_S = 0.1


def times(size):
    return WINDOW_S * np.arange(1, size + 1)


def noisy(level, sigma, seed=1, memory=0.0):
    """`level` with relative noise `sigma`, correlated from window to window by `memory`."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal(len(level))
    for now in range(1, len(level)):
        noise[now] = memory * noise[now - 1] + (1 - memory**2) ** 0.5 * noise[now]
    return level * np.exp(sigma * noise)


def at_stop(level, sigma, seed):
    """Windows until a warm-up that asks every second window would have ended."""
    rates = noisy(level, sigma, seed)
    for size in range(6, len(rates) + 1, 2):
        if steady_state(times(size), rates[:size]).steady:
            return size
    return None


@pytest.mark.parametrize("sigma", [0.005, 0.02, 0.08])
@pytest.mark.parametrize("size", [30, 100, 200])
def test_flat_is_steady_from_the_start(size, sigma):
    kinds = [
        steady_state(times(size), noisy(np.full(size, 5e4), sigma, seed)).kind for seed in range(40)
    ]
    assert kinds.count("flat") >= 38


def test_flat_with_bursts_is_mostly_seen_as_flat():
    found = [
        steady_state(times(100), noisy(np.full(100, 5e4), 0.03, seed, memory=0.3))
        for seed in range(40)
    ]
    assert sum(one.kind == "flat" for one in found) >= 34


def test_a_quiet_flat_server_is_steady_after_little_more_than_half_a_second():
    assert at_stop(np.full(50, 1e4), 0.005, 1) <= 8


def test_a_noisy_server_is_watched_for_longer_but_not_for_ever():
    ends = [at_stop(np.full(60, 1e4), 0.05, seed) for seed in range(20)]
    assert all(end is not None for end in ends)
    assert 12 < np.median(ends) <= MAX_WINDOWS + 6


@pytest.mark.parametrize(("before", "kind"), [(0.3, "warming"), (1.6, "slowing")])
def test_a_step_is_found_where_it_is(before, kind):
    level = 1e4 * np.where(np.arange(60) < 20, before, 1.0)
    found = steady_state(times(60), noisy(level, 0.02))
    assert found.steady
    assert found.kind == kind
    assert found.since_s == pytest.approx(2.0, abs=0.15)
    assert found.level == pytest.approx(1e4, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [0.01, 0.03, 0.08])
@pytest.mark.parametrize("tau_s", [0.2, 0.5, 1.0])
def test_a_compiler_warming_up_is_waited_for(tau_s, sigma):
    level = 1e4 * (1 - 0.6 * np.exp(-times(80) / tau_s))
    ends = [at_stop(level, sigma, seed) for seed in range(20)]
    reached = [level[end - 1] / 1e4 for end in ends if end]
    assert len(reached) >= 18
    assert np.quantile(reached, 0.25) > 0.95


def test_what_climbs_to_the_end_is_never_steady():
    found = steady_state(times(100), noisy(1e4 * np.linspace(0.5, 1.5, 100), 0.02))
    assert (found.steady, found.kind, found.since_s) == (False, "never", None)


def test_what_changed_just_now_is_not_steady_yet():
    level = 1e4 * np.where(np.arange(40) < 36, 1.0, 1.5)
    assert steady_state(times(40), noisy(level, 0.01)).kind == "never"


def test_a_pause_is_no_change_of_level():
    level = np.full(60, 1e4)
    level[[20, 21, 40]] = 100.0
    assert steady_state(times(60), noisy(level, 0.02)).kind == "flat"


def test_a_small_change_of_level_is_no_warm_up():
    level = 1e4 * np.where(np.arange(60) < 20, 0.985, 1.0)
    assert steady_state(times(60), noisy(level, 0.003)).kind == "flat"


def test_cpu_per_request_shows_a_warm_up_that_throughput_hides():
    rates = noisy(np.full(60, 1e3), 0.01)  # an open load: the rate asked is the rate
    cpu = noisy(np.where(np.arange(60) < 25, 90.0, 40.0), 0.02, seed=2)
    assert steady_state(times(60), rates).kind == "flat"
    both = steady_state(times(60), rates, cpu)
    assert both.kind == "warming"
    assert both.since_s == pytest.approx(2.5, abs=0.15)


@pytest.mark.parametrize("rates", [[], [0.0], [5.0, 5.0, 5.0], [0.0] * 30])
def test_almost_nothing_does_no_harm(rates):
    found = steady_state(times(len(rates)), np.array(rates))
    assert found.steady == (len(rates) == 30)


def test_it_is_cheap_enough_to_ask_all_the_time():
    t, rates = times(200), noisy(1e4 * (1 - 0.6 * np.exp(-times(200))), 0.03)
    least = min(_seconds(lambda: steady_state(t, rates, rates)) for _ in range(20))
    assert least < 0.005


def _seconds(task):
    begin = time.perf_counter()
    task()
    return time.perf_counter() - begin


def test_too_short_for_its_noise_is_unsure_and_not_never():
    found = steady_state(times(14), noisy(np.full(14, 1000.0), 0.06))
    assert (found.steady, found.kind, found.since_s) == (False, "unsure", None)
