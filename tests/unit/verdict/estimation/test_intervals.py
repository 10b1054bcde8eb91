"""Intervals: their quantiles, their shares of the error rate, and what they imply of each other."""

import math

import numpy as np
import pytest
from scipy import stats

from unit.verdict.noise import SIGMA
from webdyno.verdict.estimation.autocorrelation import autocorrelation, inflation
from webdyno.verdict.estimation.intervals import closed, critical
from webdyno.verdict.estimation.pairs import paired_differences
from webdyno.verdict.estimation.weights import block_weights
from webdyno.verdict.sequential.looks import Looks


@pytest.mark.parametrize("freedom", [1.0, 2.0, 4.7, 30.0])
@pytest.mark.parametrize("rate", [0.05, 1e-3, 1e-7])
def test_critical_values_are_students(freedom, rate):
    assert critical(np.array(freedom), rate) == pytest.approx(stats.t.isf(rate / 2, freedom))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(("planned", "first"), [(30, 3), (3, 3), (8, 3), (200, 3), (10, 2)])
def test_the_shares_of_all_looks_sum_to_one(planned, first, late):
    looks = Looks(planned, first, late)
    shares = [looks.share(k) for k in range(looks.planned * 400)]
    assert sum(shares[: looks.planned + 1]) == pytest.approx(0.95)
    # What is beyond the sum falls off with one over its length.
    assert 1 - 2 / 400 < sum(shares) <= 1
    assert all(share == 0 for share in shares[: looks.first])
    assert all(share > 0 for share in shares[looks.first :])


def test_late_looks_leave_most_for_the_last():
    early, late = Looks(6), Looks(6, late=True)
    assert late.share(6) == pytest.approx(0.57, abs=0.005)
    assert early.share(6) == pytest.approx(0.17, abs=0.005)
    assert Looks(30, late=True).share(30) == pytest.approx(0.15, abs=0.005)
    assert late.share(6) > 3.3 * early.share(6)
    assert late.share(3) < 0.5 * early.share(3)
    shares = [late.share(k) for k in range(3, 7)]
    assert shares == sorted(shares)


@pytest.mark.parametrize(("planned", "first"), [(2, 3), (5, 1)])
def test_looks_that_make_no_sense_are_refused(planned, first):
    with pytest.raises(ValueError, match="looks need"):
        Looks(planned, first)


def test_a_single_pair_is_the_paired_t_interval():
    logs = np.random.default_rng(1).normal(size=(6, 2))
    pairs = paired_differences(logs)
    expected = stats.ttest_rel(logs[:, 0], logs[:, 1])
    carried = inflation(
        autocorrelation((d := logs[:, :1] - logs[:, 1:]) - d.mean(), np.ones((6, 1), dtype=bool)),
        np.array(6),
    )
    assert pairs.mean[0] / pairs.error[0] * math.sqrt(carried) == pytest.approx(expected.statistic)
    assert pairs.freedom[0] == 5


def test_more_entries_lend_degrees_of_freedom():
    logs = np.random.default_rng(2).normal(size=(4, 6))
    assert paired_differences(logs[:, :2]).freedom[0] == 3
    assert 3 < paired_differences(logs).freedom.min() <= 15


def test_where_one_entry_makes_all_the_noise_its_pairs_stand_alone():
    logs = np.random.default_rng(3).normal(size=(5, 6)) * np.array([1000, 1, 1, 1, 1, 1])
    pairs = paired_differences(logs)
    assert pairs.freedom[pairs.first == 0].max() == pytest.approx(4, abs=0.1)


def test_a_pair_that_looks_too_quiet_by_chance_is_not_believed():
    logs = SIGMA * np.random.default_rng(4).normal(size=(3, 6))
    logs[:, 1] = logs[:, 0] + 0.05  # the same noise, so that their difference has none
    pairs = paired_differences(logs)
    assert pairs.noise[0] > SIGMA / 2


def test_a_wild_block_counts_for_less_unless_it_is_the_pairs_own():
    logs = SIGMA * np.random.default_rng(5).normal(size=(8, 6))
    logs[3] += np.array([0, 0, 1.0, -1.0, 1.0, -1.0])
    first, second = np.triu_indices(6, 1)
    weights = block_weights(logs, first, second)
    assert weights[3, 0] < 0.05  # entries 0 and 1, judged by the wild ones
    assert weights[:, 0].mean() == pytest.approx(1)
    calm = SIGMA * np.random.default_rng(5).normal(size=(8, 6))
    calm[3, 0] += 5.0  # its own affair: nobody else was disturbed
    assert block_weights(calm, first, second)[3, 0] > 0.9


@pytest.mark.parametrize("shape", [(4, 9), (20, 4)])
def test_too_little_to_judge_blocks_by_gives_equal_weights(shape):
    first, second = np.triu_indices(shape[1], 1)
    weights = block_weights(np.random.default_rng(6).normal(size=shape), first, second)
    assert (weights == 1).all()


def test_memory_is_found_and_widens():
    rng = np.random.default_rng(7)
    noise = rng.normal(size=(200, 4))
    for block in range(1, 200):
        noise[block] = 0.5 * noise[block - 1] + math.sqrt(0.75) * noise[block]
    there = np.ones(noise.shape, dtype=bool)
    assert autocorrelation(noise - noise.mean(axis=0), there) == pytest.approx(0.5, abs=0.1)
    # Large n: the variance of the mean grows by (1 + r) / (1 - r).
    assert inflation(np.array(0.5), np.array(10_000.0)) == pytest.approx(3, rel=0.01)
    assert inflation(np.array(0.0), np.array(10.0)) == 1


def test_without_memory_little_is_found():
    rng = np.random.default_rng(8)
    found = [
        autocorrelation(x - x.mean(axis=0), np.ones(x.shape, dtype=bool))
        for x in rng.normal(size=(300, 10, 5))
    ]
    assert np.median(found) < 0.05


def test_intervals_that_imply_each_other_are_tightened():
    # a - b in [1, 2] and b - c in [1, 2] make a - c lie in [2, 4], whatever was measured of it.
    high = np.array([[0, 2, 9], [-1, 0, 2], [9, -1, 0]], dtype=float)
    low = -high.T
    low, high = closed(low, high)
    assert (low[0, 2], high[0, 2]) == (2, 4)
    assert (low[2, 0], high[2, 0]) == (-4, -2)


def test_intervals_that_exclude_each_other_are_left_alone():
    high = np.array([[0, 2, -5], [-1, 0, 2], [6, -1, 0]], dtype=float)
    low = -high.T
    same = closed(low.copy(), high.copy())
    assert (same[0] == low).all()
    assert (same[1] == high).all()
