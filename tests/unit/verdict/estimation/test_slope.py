"""The cost of one more: the line through it, and the steps of a growing stack."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from webdyno.verdict.estimation.slope import cost_ns, slope, steps

COUNTS = np.array([0.0, 1.0, 5.0, 20.0, 100.0])


def costs(
    blocks: int, per_step: float = 70.0, noise: float = 0.0, seed: int = 1
) -> NDArray[np.float64]:
    """Costs of a request: 50 us of its own, blocks that differ by a fifth, and noise."""
    rng = np.random.default_rng(seed)
    level = 50_000 + rng.normal(0, 10_000, (blocks, 1))
    return level + per_step * COUNTS + rng.normal(0, noise, (blocks, COUNTS.size))


def test_a_straight_line_is_found_whatever_the_level_of_its_block() -> None:
    found = slope(COUNTS, costs(5))
    assert found is not None
    assert found.estimate == pytest.approx(70)
    assert found.high - found.low < 1e-6
    assert found.misfit < 1e-6
    assert found.blocks == 5


def test_the_intercept_is_the_mean_cost_with_none() -> None:
    table = costs(6)
    found = slope(COUNTS, table)
    assert found is not None
    assert found.intercept == pytest.approx(table[:, 0].mean())


def test_with_nothing_missing_it_is_students_interval_of_the_blocks_slopes() -> None:
    from scipy import stats

    table = costs(7, noise=500)
    own = [np.polyfit(COUNTS, row, 1)[0] for row in table]
    low, high = stats.t.interval(0.95, 6, loc=np.mean(own), scale=stats.sem(own))
    found = slope(COUNTS, table)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.estimate == pytest.approx(np.mean(own))


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_interval_holds_the_truth_as_often_as_it_says(missing: float) -> None:
    rng = np.random.default_rng(11)
    held = []
    for seed in range(600):
        table = costs(5, noise=2000, seed=seed)
        table[rng.random(table.shape) < missing] = np.nan
        found = slope(COUNTS, table)
        if found is not None:
            held.append(found.low <= 70 <= found.high)
    # 600 draws at 95%: 2.7% is three standard deviations. With holes it may be on the safe side.
    assert len(held) > 550
    assert np.mean(held) > 0.95 - 0.027
    assert missing or np.mean(held) < 0.95 + 0.027


def test_slopes_that_hold_together_are_wider() -> None:
    table = costs(5, noise=500)
    alone, together = slope(COUNTS, table), slope(COUNTS, table, comparisons=8)
    assert alone is not None
    assert together is not None
    assert together.high - together.low > 1.5 * (alone.high - alone.low)
    assert together.estimate == alone.estimate


def test_missing_trials_leave_the_rest_of_their_block() -> None:
    table = costs(4)
    table[0, 4] = table[1, 0] = np.nan
    table[2] = np.nan
    table[3, 1:] = np.nan
    found = slope(COUNTS, table)
    assert found is not None
    assert found.blocks == 2
    assert found.estimate == pytest.approx(70)


def test_a_bent_line_is_told_by_its_misfit() -> None:
    table = np.tile(1000 + COUNTS**2, (4, 1))
    found = slope(COUNTS, table)
    assert found is not None
    assert found.misfit > 500


def test_too_little_data_gives_none() -> None:
    assert slope(COUNTS, costs(1)) is None
    assert slope(np.array([5.0, 5.0]), np.ones((4, 2))) is None
    assert slope(COUNTS, np.full((4, 5), np.nan)) is None


def test_cost_of_a_request_from_its_rate() -> None:
    found = cost_ns(np.array([20_000.0, 0.0, np.nan]), cores=2)
    assert found[0] == pytest.approx(100_000)
    assert np.isnan(found[1:]).all()


def test_steps_are_the_differences_within_blocks() -> None:
    levels = np.array([1.0, 2.0, 3.0])
    own = np.array([[10.0], [20.0], [30.0], [25.0]])
    table = own + np.array([0.0, 5.0, 12.0]) + np.array([[0, 0.5, 0], [0, -0.5, 0]] * 2)
    found = steps(levels, table)
    assert [step.level for step in found] == [2.0, 3.0]
    assert [step.estimate for step in found] == pytest.approx([5.0, 7.0])
    assert all(step.low < step.estimate < step.high and step.blocks == 4 for step in found)


@pytest.mark.slow
def test_all_steps_hold_together() -> None:
    rng = np.random.default_rng(5)
    levels = np.arange(1.0, 9.0)
    held = 0
    for _ in range(400):
        table = rng.normal(0, 100, (5, 1)) + 3 * levels + rng.normal(0, 1, (5, 8))
        held += all(step.low <= 3 <= step.high for step in steps(levels, table))
    assert held / 400 > 0.93


def test_a_step_that_one_block_knows_is_left_out() -> None:
    table = np.array([[1.0, 2.0, 4.0], [1.0, 2.5, np.nan], [1.0, 2.2, np.nan]])
    assert [step.level for step in steps(np.array([1.0, 2.0, 3.0]), table)] == [2.0]
