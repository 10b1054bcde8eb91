"""What a sentinel adds: slow phases are recognised, and weighed without breaking the promise."""

import numpy as np
import pytest

from unit.verdict import noise
from unit.verdict.simulate import ALPHA, most_misses
from webdyno.verdict import Looks, blocks_of, compare
from webdyno.verdict.estimation.intervals import half_widths
from webdyno.verdict.estimation.pairs import paired_differences
from webdyno.verdict.estimation.weights import LEAST_WEIGHT, sentinel_weights
from webdyno.verdict.steadiness.series import slow_blocks

pytestmark = pytest.mark.slow

RUNS, BLOCKS = 1500, 12


def slow_phases(rng, shape):
    """One block in ten is 30% slower, by amounts that scatter by 15%; the sentinel sees it."""
    slow = rng.random((*shape[:2], 1)) < 0.1
    entries = noise.gaussian(rng, shape) + slow * (-0.36 + 0.15 * rng.standard_normal(shape))
    sentinel = slow[..., 0] * -0.36 + 0.01 * rng.standard_normal(shape[:2])
    return entries, sentinel


def quiet(rng, shape):
    return noise.gaussian(rng, shape), 0.01 * rng.standard_normal(shape[:2])


def deceived(rng, shape):
    """The sentinel was slow in blocks that were like all others."""
    slow = rng.random(shape[:2]) < 0.1
    return noise.gaussian(rng, shape), -0.36 * slow + 0.01 * rng.standard_normal(shape[:2])


def watched(model, entries, weigh=True):
    """Part of runs with a false interval at any look, and the median half width at the end."""
    logs, sentinel = model(np.random.default_rng(9), (RUNS, BLOCKS, entries))
    looks, pairs = Looks(BLOCKS), entries * (entries - 1) // 2
    missed = np.zeros(RUNS, dtype=bool)
    for look in range(looks.first, BLOCKS + 1):
        weights = None
        if weigh:
            weights = np.stack([sentinel_weights(np.exp(one[:look])) for one in sentinel])
        found = paired_differences(logs[:, :look], weights)
        half = half_widths(found, looks.level(look, ALPHA / pairs))
        missed |= (np.abs(found.mean) > half).any(axis=1)
    return missed.mean(), np.median(half)


@pytest.mark.parametrize("model", [slow_phases, quiet, deceived])
@pytest.mark.parametrize("entries", [2, 4])
def test_weighing_slow_blocks_keeps_the_error_rate(model, entries):
    rate, _ = watched(model, entries)
    assert rate <= most_misses(RUNS)


def test_weighing_slow_blocks_narrows_the_intervals():
    """With few servers nothing else could tell that a block says less than the others."""
    _, weighed = watched(slow_phases, 2)
    _, plain = watched(slow_phases, 2, weigh=False)
    assert weighed < 0.85 * plain


def test_a_slow_block_is_kept_and_counts_for_less():
    speed = np.array([100, 101, 99, 70, 100, 98.0])
    weights = sentinel_weights(speed)
    assert weights[3] == LEAST_WEIGHT
    assert set(np.delete(weights, 3)) == {1.0}
    assert slow_blocks(speed) == (3,)
    # Unknown blocks, and too few to know what is usual, count in full.
    assert set(sentinel_weights(np.array([100, np.nan, 50.0]))) == {1.0}
    assert slow_blocks(np.array([])) == ()


def test_the_verdict_leans_on_the_quiet_blocks():
    values = np.array([[100.0, 100.0]] * 5 + [[80.0, 60.0]])
    values *= np.exp(0.002 * np.random.default_rng(1).standard_normal(values.shape))
    speeds = np.array([50.0, 51, 50, 49, 50, 30])
    plain = compare(values, ["a", "b"]).ratio("a", "b")
    weighed = compare(values, ["a", "b"], speeds=speeds).ratio("a", "b")
    assert 1 < weighed.estimate < plain.estimate
    assert weighed.high / weighed.low < plain.high / plain.low


def test_memory_of_the_blocks_is_told():
    rng = np.random.default_rng(2)
    values = np.exp(0.02 * rng.standard_normal((200, 4)))
    assert blocks_of(values).autocorrelation < 0.1
    for block in range(1, 200):
        values[block] = values[block - 1] ** 0.6 * values[block]
    assert blocks_of(values).autocorrelation > 0.4
