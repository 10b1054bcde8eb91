"""Two runs: false claims stay rare, real changes are found, and drift is not taken for one."""

import numpy as np
import pytest

from unit.verdict import noise
from unit.verdict.simulate import most_misses
from webdyno.verdict.comparison.unpaired import changes, drift_of

pytestmark = pytest.mark.slow

PLACES, BLOCKS, RUNS = 6, 5, 400
KEPT = [
    "gaussian", "heavy_tails", "skewed", "two_modes", "slow_trial_in_ten", "slow_block_in_ten",
    "block_cut_in_two", "autocorrelated", "one_noisy_entry", "unlike_entries",
]  # fmt: skip
"""Models of which two runs are two samples: in the others the machine changes for good."""


def two_runs(model, seed, blocks=BLOCKS, places=PLACES):
    rng = np.random.default_rng(seed)
    return (np.exp(model(rng, (RUNS, blocks, places))) for _ in range(2))


@pytest.mark.parametrize("name", KEPT)
@pytest.mark.parametrize("blocks", [3, 6])
def test_no_change_is_rarely_called_one(name, blocks):
    """At most 5% of comparisons of a run with its repetition hold any false interval."""
    old, new = two_runs(getattr(noise, name), seed=11, blocks=blocks)
    wrong = 0
    for a, b in zip(old, new, strict=True):
        found = changes(a, b, error_rate=0.05 / PLACES)
        wrong += any(c is not None and not c.low <= 1 <= c.high for c in found)
    assert wrong / RUNS <= most_misses(RUNS)


def test_a_machine_that_changed_between_the_runs_is_no_regression():
    """Drift of several percent, felt by each server in part: without the sentinel most comparisons
    would be wrong, with it the promise holds."""
    rng = np.random.default_rng(3)
    wrong = {True: 0, False: 0}
    for _ in range(RUNS):
        machine = rng.normal(0, 0.05)
        felt = np.append(rng.uniform(0.2, 1.0, PLACES), 1.0)
        level = np.stack([np.zeros(PLACES + 1), machine * felt])
        a, b = np.exp(level[:, None] + 0.01 * rng.standard_normal((2, 6, PLACES + 1)))
        drift = drift_of(a[:, -1], b[:, -1])
        for told in wrong:
            found = changes(
                a[:, :-1], b[:, :-1], error_rate=0.05 / PLACES, drift=drift if told else None
            )
            wrong[told] += any(not c.low <= 1 <= c.high for c in found if c)
    assert wrong[True] / RUNS <= most_misses(RUNS)
    assert wrong[False] / RUNS > 0.3


def test_moods_of_the_machine_longer_than_a_run_are_seen_by_the_sentinel():
    """Autocorrelated from trial to trial: a run of three blocks lies within one mood."""
    old, new = two_runs(noise.bursts, seed=11, blocks=3, places=PLACES + 1)
    wrong = 0
    for a, b in zip(old, new, strict=True):
        drift = drift_of(a[:, -1], b[:, -1])
        found = changes(a[:, :-1], b[:, :-1], error_rate=0.05 / PLACES, drift=drift)
        wrong += any(c is not None and not c.low <= 1 <= c.high for c in found)
    assert wrong / RUNS <= most_misses(RUNS)


def test_a_regression_beyond_the_margin_is_found():
    found = missed = 0
    for a, b in zip(*two_runs(noise.gaussian, seed=4), strict=True):
        b[:, 0] /= 1.15
        slower, *others = changes(a, b, error_rate=0.05 / PLACES)
        assert slower is not None
        found += slower.regression
        missed += sum(c is not None and c.regression for c in others)
    assert found > 0.9 * RUNS
    assert missed / RUNS <= 0.01


def test_a_loss_within_the_margin_is_no_regression():
    wrong = 0
    for a, b in zip(*two_runs(noise.gaussian, seed=5), strict=True):
        b /= 1.03
        found = changes(a, b, error_rate=0.05 / PLACES)
        wrong += any(c is not None and c.regression for c in found)
    assert wrong / RUNS <= most_misses(RUNS)


def test_lower_is_better_turns_the_ratio():
    old = np.full((4, 1), 100.0) * np.exp(0.01 * np.arange(4))[:, None]
    (found,) = changes(old, old * 2, higher_is_better=False)
    assert found is not None
    assert found.estimate == pytest.approx(0.5)
    assert found.outcome == "worse"


def test_too_few_values_say_nothing():
    nan = float("nan")
    old = np.array([[1.0, 1.0], [1.1, nan], [1.2, nan]])
    first, second = changes(old, old)
    assert first is not None
    assert second is None
    assert drift_of(np.array([1.0]), np.array([1.0, 1.1])) is None


def test_identical_runs_have_not_changed():
    values = np.exp(0.01 * np.random.default_rng(1).standard_normal((5, 2)))
    for found in changes(values, values):
        assert found is not None
        assert found.estimate == 1.0
        assert found.low < 1 < found.high
