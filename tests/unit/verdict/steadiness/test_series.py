"""What the blocks say about the machine."""

import math

import numpy as np
import pytest

from unit.verdict.noise import SIGMA
from webdyno.verdict import blocks_of

LEVELS = np.array([100.0, 200.0, 300.0, 450.0])


def values(blocks=12, seed=1, speed=None):
    rng = np.random.default_rng(seed)
    found = LEVELS * np.exp(SIGMA * rng.standard_normal((blocks, 4)))
    return found if speed is None else found * np.asarray(speed)[:, None]


def test_a_quiet_machine():
    found = blocks_of(values())
    assert found.slow == ()
    assert found.trends == {}
    assert abs(found.drift) < 0.005
    assert found.noise == pytest.approx(SIGMA, rel=0.3)


def test_slow_phases_are_recognised():
    speed = np.ones(12)
    speed[[4, 9]] = 0.7
    found = blocks_of(values(speed=speed))
    assert found.slow == (4, 9)
    assert found.speed[4] == pytest.approx(0.7, abs=0.05)


def test_slow_means_longer_where_lower_is_better():
    speed = np.ones(12)
    speed[4] = 1.4  # latencies
    assert blocks_of(values(speed=speed), higher_is_better=False).slow == (4,)
    assert blocks_of(values(speed=speed)).slow == ()


def test_a_server_that_is_slow_once_makes_no_slow_block():
    table = values()
    table[3, 2] /= 3
    assert blocks_of(table).slow == ()


def test_drift_is_the_machines_change_per_block():
    found = blocks_of(values(speed=0.97 ** np.arange(12)))
    assert found.drift == pytest.approx(-0.03, abs=0.01)
    assert found.trends == {}


def test_an_entry_that_moves_against_the_others_is_told():
    table = values()
    table[:, 1] *= 0.96 ** np.arange(12)
    assert list(blocks_of(table).trends) == [1]
    assert blocks_of(table).trends[1] == pytest.approx(-0.04, abs=0.01)


@pytest.mark.slow
def test_trends_are_rarely_seen_where_there_are_none():
    false = sum(bool(blocks_of(values(seed=seed)).trends) for seed in range(200))
    assert false <= 8  # one in a hundred, with room for chance


def test_the_noise_is_that_beside_the_blocks_own():
    found = blocks_of(values(30, speed=np.exp(np.random.default_rng(2).standard_normal(30))))
    assert found.noise == pytest.approx(SIGMA, rel=0.2)


def test_missing_trials_do_no_harm():
    table = values()
    table[0] = math.nan
    table[1, 1] = math.nan
    found = blocks_of(table)
    assert math.isnan(found.speed[0])
    assert found.slow == ()


@pytest.mark.parametrize("shape", [(1, 3), (3, 1), (1, 1)])
def test_too_little_to_say_anything(shape):
    found = blocks_of(np.ones(shape))
    assert found.trends == {}
    assert found.drift == 0
    assert math.isnan(found.noise)
