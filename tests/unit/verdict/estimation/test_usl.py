"""The universal scalability law, fitted to made-up servers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from webdyno.verdict.estimation.usl import fit, refusal

COUNTS = np.array([1.0, 2, 4, 8, 16, 32, 64])


def law(sigma: float, kappa: float, one: float = 1_000) -> NDArray[np.float64]:
    n = COUNTS
    return np.asarray(one * n / (1 + sigma * (n - 1) + kappa * n * (n - 1)))


def measured(
    sigma: float, kappa: float, noise: float, blocks: int, seed: int
) -> NDArray[np.float64]:
    random = np.random.default_rng(seed)
    shared = random.normal(0, 0.1, (blocks, 1))  # what a block shares must not matter
    return law(sigma, kappa) * np.exp(shared + random.normal(0, noise, (blocks, len(COUNTS))))


@pytest.mark.parametrize(("sigma", "kappa"), [(0.05, 0.001), (0.5, 0.0), (0.0, 0.002), (0.9, 0.01)])
def test_without_noise_the_parameters_are_found(sigma: float, kappa: float) -> None:
    found = fit(COUNTS, np.tile(law(sigma, kappa), (3, 1)))
    assert found is not None
    assert found.sigma.estimate == pytest.approx(sigma, rel=0.02, abs=1e-4)
    assert found.kappa.estimate == pytest.approx(kappa, rel=0.02, abs=1e-4)
    assert found.one_rps.estimate == pytest.approx(1_000, rel=0.02)
    assert found.misfit < 0.01
    if kappa and sigma < 0.9:
        assert found.peak_at.estimate == pytest.approx(math.sqrt((1 - sigma) / kappa), rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sigma", "kappa", "noise"),
    [
        (0.05, 0.001, 0.02),
        *(
            pytest.param(*truth, marks=pytest.mark.long)
            for truth in [(0.3, 0.0005, 0.05), (0.02, 0.0, 0.03), (0.8, 0.002, 0.03)]
        ),
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(
    sigma: float, kappa: float, noise: float
) -> None:
    wrong = np.zeros(4)
    runs = 50
    for seed in range(runs):
        found = fit(COUNTS, measured(sigma, kappa, noise, 4, seed))
        assert found is not None
        peak = math.sqrt((1 - sigma) / kappa) if kappa else math.inf
        truth = ((found.sigma, sigma), (found.kappa, kappa), (found.peak_at, peak))
        wrong[:3] += [not one.low * 0.999 <= true <= one.high * 1.001 for one, true in truth]
        inside = [low <= x <= high for (_, _, low, high), x in _at_curve(found, sigma, kappa)]
        wrong[3] += 1 - np.mean(inside)
    # 2 or 3 of 50 are expected; more than 7 in one of 300 such rows.
    assert (wrong <= 7).all(), wrong


def test_rates_are_no_surer_than_the_level_of_the_blocks() -> None:
    levels = np.array([[0.8], [1.25], [0.9], [1.1]])
    found = fit(COUNTS, law(0.05, 0.001) * levels)
    assert found is not None
    logs = np.log(levels)
    # Student's t with three degrees of freedom.
    half = 3.182 * float(logs.std(ddof=1)) / 2
    for one in (found.one_rps, found.peak_rps):
        assert math.log(one.high / one.estimate) == pytest.approx(half, rel=0.01)
        assert math.log(one.estimate / one.low) == pytest.approx(half, rel=0.01)
    assert all(math.log(high / mid) > 0.99 * half for _, mid, _, high in found.curve)
    # The shape is as sure as it was.
    assert found.sigma.high - found.sigma.low < 0.01


def test_one_block_shows_no_level() -> None:
    found = fit(COUNTS, measured(0.05, 0.001, 0.01, 1, 1))
    assert found is not None
    assert (found.one_rps.low, found.one_rps.high) == (0.0, math.inf)
    assert found.peak_at.high < math.inf
    assert all(0 < low < high < math.inf for _, _, low, high in found.curve)


@pytest.mark.slow
@pytest.mark.parametrize("between", [0.0, 0.1])
def test_intervals_of_rates_hold_the_truth_where_blocks_differ(between: float) -> None:
    sigma, kappa, runs = 0.05, 0.001, 50
    peak = math.sqrt((1 - sigma) / kappa)
    highest = 1_000 * peak / (1 + sigma * (peak - 1) + kappa * peak * (peak - 1))
    wrong = np.zeros(3)
    for seed in range(runs):
        random = np.random.default_rng(seed)
        levels = np.exp(random.normal(0, between, (4, 1)))
        noise = np.exp(random.normal(0, 0.01, (4, len(COUNTS))))
        found = fit(COUNTS, law(sigma, kappa) * levels * noise)
        assert found is not None
        wrong[0] += not found.one_rps.low <= 1_000 <= found.one_rps.high
        wrong[1] += not found.peak_rps.low <= highest <= found.peak_rps.high
        lows, highs = (np.array([point[end] for point in found.curve]) for end in (2, 3))
        n = np.array([point[0] for point in found.curve])
        truth = 1_000 * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))
        wrong[2] += 1 - np.mean((lows <= truth) & (truth <= highs))
    assert (wrong <= 7).all(), wrong


def _at_curve(found, sigma, kappa):  # type: ignore[no-untyped-def]
    """The curve's points beside the truth at the same level of blocks."""
    for point in found.curve:
        n = point[0]
        shape = n / (1 + sigma * (n - 1) + kappa * n * (n - 1))
        yield point, shape * found.one_rps.estimate * _scale(found, sigma, kappa)


def _scale(found, sigma, kappa):  # type: ignore[no-untyped-def]
    """The band holds no noise of the blocks' level: both are compared at the same mean."""
    ours = np.mean([math.log(mid) for _, mid, _, _ in found.curve])
    n = np.array([x for x, *_ in found.curve])
    truth = np.log(found.one_rps.estimate * n / (1 + sigma * (n - 1) + kappa * n * (n - 1)))
    return math.exp(ours - truth.mean())


def test_a_peak_beyond_the_data_is_called_extrapolated() -> None:
    found = fit(COUNTS, measured(0.02, 0.00005, 0.01, 4, 1))
    assert found is not None
    assert found.extrapolated
    assert found.peak_at.estimate > 64
    within = fit(COUNTS, measured(0.02, 0.002, 0.01, 4, 3))
    assert within is not None
    assert not within.extrapolated
    assert within.peak_at.low < math.sqrt(0.98 / 0.002) < within.peak_at.high


def test_a_rate_that_falls_at_once_has_its_peak_at_one() -> None:
    counts = np.array([1.0, 2, 4, 8, 16, 32])
    falling = np.array([994.0, 668, 572, 533, 519, 510])
    found = fit(counts, falling * np.array([[0.99], [1.0], [1.01]]))
    assert found is not None
    assert found.kappa.estimate == 0.0
    assert found.sigma.estimate == pytest.approx(1.98, rel=0.01)
    assert (found.peak_at.estimate, found.extrapolated) == (1.0, False)
    assert found.peak_rps == found.one_rps
    # One that levels off still has none in sight.
    level = fit(COUNTS, np.tile(law(0.5, 0.0), (3, 1)))
    assert level is not None
    assert level.peak_at.high == math.inf


def test_missing_trials_are_left_out() -> None:
    values = measured(0.05, 0.001, 0.01, 4, 2)
    values[0, 3] = values[2, 6] = np.nan
    found = fit(COUNTS, values)
    assert found is not None
    assert found.sigma.low < 0.05 < found.sigma.high


@pytest.mark.parametrize(
    ("counts", "why"),
    [([1, 2], "there are only 2 of them"), ([1], "there is only 1 of them"),
     ([1, 2, 3, 4], "takes 5 different numbers of cores"),
     ([60, 61, 62, 63, 64], "too close together")],
)  # fmt: skip
def test_too_little_is_refused_with_the_reason(counts: list[int], why: str) -> None:
    numbers = np.array(counts, dtype=float)
    assert why in refusal(numbers, "cores")
    assert fit(numbers, np.ones((3, len(counts)))) is None


def test_enough_is_not_refused() -> None:
    assert refusal(COUNTS) == ""
    # One block of five points leaves two degrees of freedom, which is the least.
    assert fit(COUNTS[:5], law(0.1, 0.001)[None, :5]) is not None
    assert fit(COUNTS, np.full((3, 7), np.nan)) is None
