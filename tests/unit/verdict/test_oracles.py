"""Statistics of our own beside the same ones of scipy and ruptures, where these have them.

What they do not have (weights, moderated variances, the search for an objective) is checked by
simulation in the files of this folder.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import ruptures
from numpy.typing import NDArray
from scipy import optimize, stats
from scipy.sparse import csgraph, csr_matrix

from webdyno.verdict.comparison.change_points import LEAST, _largest
from webdyno.verdict.comparison.groups import tie_groups
from webdyno.verdict.comparison.unpaired import changes
from webdyno.verdict.estimation.absolute import level
from webdyno.verdict.estimation.intervals import closed, two_sided_p
from webdyno.verdict.estimation.pairs import paired_differences
from webdyno.verdict.estimation.usl import fit
from webdyno.verdict.steadiness.series import TREND_LEVEL, _slope, _trends
from webdyno.verdict.steadiness.steady import MIN_WINDOWS, PENALTY, _change_points

Array = NDArray[np.float64]


def noise(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).normal(0, 0.05, shape)


def swinging(seed: int, count: int) -> Array:
    """Noise without autocorrelation, for which ours would widen an interval: each value lies on
    the other side of the mean than the one before."""
    size = np.abs(noise(seed, count)) + 0.01
    return np.asarray(size * np.where(np.arange(count) % 2, 1, -1))


@pytest.mark.parametrize("blocks", [2, 5, 30])
def test_a_level_is_students_interval_of_the_logarithms(blocks: int) -> None:
    logs = 7 + noise(blocks, blocks)
    expected = stats.t.interval(0.95, blocks - 1, logs.mean(), stats.sem(logs))
    assert level(np.exp(logs)) == pytest.approx(np.exp(expected))


@pytest.mark.parametrize("blocks", [3, 6, 12])
def test_the_p_value_of_a_pair_is_that_of_the_paired_t_test(blocks: int) -> None:
    logs = np.stack([swinging(blocks, blocks) + 0.03, np.zeros(blocks)], axis=1)
    expected = stats.ttest_rel(logs[:, 0], logs[:, 1]).pvalue
    assert two_sided_p(paired_differences(logs))[0] == pytest.approx(expected)


@pytest.mark.parametrize(("before", "after"), [(5, 5), (4, 11)])
def test_the_change_between_two_runs_is_welchs_interval(before: int, after: int) -> None:
    old, new = swinging(1, before), 0.1 + 2 * swinging(2, after)
    (found,) = changes(np.exp(old)[:, None], np.exp(new)[:, None])
    assert found is not None
    welch = stats.ttest_ind(new, old, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((math.exp(welch.low), math.exp(welch.high)))
    assert found.estimate == pytest.approx(math.exp(new.mean() - old.mean()))


@pytest.mark.parametrize("seed", range(5))
def test_the_drift_is_theil_and_sens_slope(seed: int) -> None:
    series = noise(seed, 15) + 0.01 * np.arange(15)
    series[seed : seed + 3] = np.nan
    there = np.flatnonzero(np.isfinite(series))
    assert _slope(series) == pytest.approx(stats.theilslopes(series[there], there).slope)


def test_a_trend_is_called_where_kendalls_exact_test_calls_it() -> None:
    called = 0
    for seed in range(400):
        count = 6 + seed % 9
        series = noise(seed, count) + 0.012 * (seed % 4) * np.arange(count)
        exact = stats.kendalltau(np.arange(count), series, method="exact").pvalue
        mine = bool(_trends(series[:, None]))
        called += mine
        # Mann's normal approximation, with a correction for continuity, beside the exact test:
        # they may differ only near the border.
        assert mine == (exact <= TREND_LEVEL) or 0.3 < exact / TREND_LEVEL < 1.7
    assert 80 < called < 320


def test_intervals_that_imply_each_other_are_shortest_paths() -> None:
    for seed in range(20):
        true = noise(seed, 6) * 3
        half = np.abs(noise(seed + 100, 6, 6)) + 0.02
        half = (half + half.T) / 2
        # Where they are, they hold the truth: so no circle is negative.
        centre = true[:, None] - true[None, :] + half * np.random.default_rng(seed).uniform(-1, 1)
        low, high = centre - half, centre + half
        upper = np.fmin(high, -low.T)
        np.fill_diagonal(upper, 0.0)
        expected = csgraph.shortest_path(upper + 1e-300, method="J")
        assert closed(low, high)[1] == pytest.approx(expected)


def test_groups_are_the_strongly_connected_parts() -> None:
    random = np.random.default_rng(4)
    for entries in range(2, 9):
        for _ in range(20):
            order = random.permutation(entries)
            beats = np.zeros((entries, entries), dtype=bool)
            for i, j in itertools.combinations(order, 2):
                beats[i, j] = random.random() < 0.7
            arrows = csr_matrix(~beats.T & ~np.eye(entries, dtype=bool))
            count, which = csgraph.connected_components(arrows, connection="strong")
            found = tie_groups(beats, list(map(float, -np.argsort(order))))
            assert len(found) == count
            assert {frozenset(group) for group in found} == {
                frozenset(map(int, np.flatnonzero(which == part))) for part in range(count)
            }


@pytest.mark.parametrize("seed", range(8))
def test_the_arc_that_stands_out_has_the_largest_t(seed: int) -> None:
    series = noise(seed, 12)
    series[4 : 6 + seed % 3] += 0.1 * (seed % 2)
    arcs = [
        (begin, end)
        for begin in (0, *range(LEAST, len(series) - LEAST + 1))
        for end in range(begin + LEAST, len(series) + 1)
        if end - begin <= len(series) - LEAST
        and (end <= len(series) - LEAST or (end == len(series) and begin > 0))
    ]

    def apart(arc: tuple[int, int]) -> float:
        inside = np.zeros(len(series), dtype=bool)
        inside[slice(*arc)] = True
        return abs(float(stats.ttest_ind(series[inside], series[~inside]).statistic))

    largest = max(map(apart, arcs))
    assert apart(_largest(series[None, :])[1]) == pytest.approx(largest)


@pytest.mark.parametrize("cuts", [[7], [5, 11]])
def test_clear_changes_are_where_ruptures_puts_them(cuts: list[int]) -> None:
    for seed in range(5):
        series = noise(seed, 18) / 5
        for cut, size in zip(cuts, (0.2, -0.2), strict=False):
            series[cut:] += size
        search = ruptures.Dynp(model="l2", min_size=LEAST, jump=1).fit(series)
        arc = _largest(series[None, :])[1]
        assert [cut for cut in arc if 0 < cut < 18] == search.predict(len(cuts))[:-1]


@pytest.mark.parametrize("dimensions", [1, 2])
def test_levels_change_where_ruptures_finds_it(dimensions: int) -> None:
    random = np.random.default_rng(3)
    for size in (5, 9, 10, 11, 24, 60, 200):
        levels = np.cumsum(
            random.normal(0, 2, (size, 1)) * (random.random((size, 1)) < 0.1), axis=0
        )
        signals = random.normal(0, 1, (size, dimensions)) + levels
        search = ruptures.KernelCPD(kernel="linear", min_size=MIN_WINDOWS).fit(signals)
        found = search.predict(pen=PENALTY * dimensions * math.log(size)) if size >= 10 else [size]
        assert _change_points(signals) == found


def test_the_scalability_law_is_the_least_squares_fit() -> None:
    counts = np.array([1.0, 2, 4, 8, 16, 32, 64])

    def law(n: Array, log_one: float, sigma: float, kappa: float) -> Array:
        return np.asarray(log_one + np.log(n / (1 + sigma * (n - 1) + kappa * n * (n - 1))))

    logs = law(counts, 8.0, 0.04, 0.0008) + noise(3, 4, len(counts)) / 5
    found = fit(counts, np.exp(logs))
    assert found is not None
    # With no trial missing, levels of the blocks leave the law's own parameters as they are.
    expected, _ = optimize.curve_fit(law, counts, logs.mean(axis=0), p0=[8.0, 0.1, 0.001])
    assert math.log(found.one_rps.estimate) == pytest.approx(expected[0], abs=0.01)
    assert found.sigma.estimate == pytest.approx(expected[1], rel=0.05)
    assert found.kappa.estimate == pytest.approx(expected[2], rel=0.05)
