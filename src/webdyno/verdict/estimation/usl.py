"""How throughput grows with concurrency: the universal scalability law, with intervals.

X(n) = λ n / (1 + σ (n - 1) + κ n (n - 1)), for n connections or cores (N. J. Gunther, *Guerrilla
Capacity Planning*, Springer 2007; arXiv:0808.1431). λ is the throughput of one; σ the contention,
the part of the work that only one can do at a time; κ the coherency, what each pair costs. With
κ > 0 throughput has a peak, at n = √((1 - σ) / κ); with σ ≥ 1 it falls from one on, whatever κ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webdyno.verdict.array import Array

POINTS_NEEDED = 5
"""Different numbers that are needed: three parameters, and something left to contradict them."""

SPAN_NEEDED = 4.0
"""Factor between the smallest and the largest number that is needed to see a curve bend."""

CELLS = 120
"""Cells of the grid on each axis, in each of the rounds that close in on the likely region."""

ROUNDS = 3

LEAST_SIGMA, LEAST_KAPPA = 1e-5, 1e-9
"""Below these the coefficients are taken for zero."""


@dataclass(frozen=True)
class Range:
    """An estimate with its interval; `high` is infinite where the data do not bound it."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class UslFit:
    """The law fitted to throughputs. `peak_at` is the number with the highest throughput, infinite
    where none is in sight; `extrapolated` says that it lies beyond what was measured. `curve` holds
    (n, X, low, high). `misfit` is the farthest that the mean at any n lies from the curve, as a
    part: large, the law is not this server's."""

    one_rps: Range
    sigma: Range
    kappa: Range
    peak_at: Range
    peak_rps: Range
    extrapolated: bool
    curve: tuple[tuple[float, float, float, float], ...]
    misfit: float
    blocks: int
    confidence: float


def refusal(counts: Array, what: str = "connections") -> str:
    """Why the law cannot be fitted over these numbers of `what`; empty where it can."""
    different = np.unique(counts)
    if len(different) < POINTS_NEEDED:
        only = f"only {len(different)} of them" if len(different) else "none of them"
        return (
            f"telling contention from coherency takes {POINTS_NEEDED} different numbers of {what}, "
            f"and there {'are' if len(different) > 1 else 'is'} {only}"
        )
    if different[-1] < SPAN_NEEDED * different[0]:
        return (
            f"{different[0]:g} to {different[-1]:g} {what} are too close together to show a bend: "
            f"the largest must be at least {SPAN_NEEDED:g} times the smallest"
        )
    return ""


def fit(counts: Array, throughputs: Array, confidence: float = 0.95) -> UslFit | None:
    """Fit the law to `throughputs` [blocks, counts], NaN where a trial is missing.

    Least squares of logarithms with a level for each block, so that what a block shares cancels. σ
    and κ are not negative. Intervals are profile likelihoods (Bates & Watts 1988, *Nonlinear
    Regression Analysis*, ch. 6): the range of a figure over all (σ, κ) whose sum of squares stays
    below S (1 + F / f), with F the quantile of F(1, f) and f the degrees of freedom. What the law
    does not fit counts as noise, and so widens them. Those of rates are wider by Student's error of
    the blocks' levels; one block shows none, and so bounds no rate but the curve's shape. None
    where `refusal` would tell why, or where trials are too few.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = np.log(np.where(throughputs > 0, throughputs, np.nan))
    there = np.isfinite(logs)
    used = there.any(axis=0)
    if refusal(counts[used]):
        return None
    blocks = there.any(axis=1)
    logs, there, n = logs[blocks][:, used], there[blocks][:, used], counts[used]
    freedom = int(there.sum()) - len(logs) - 2
    if freedom < 2:
        return None
    from scipy.special import stdtrit

    # F(1, f) is the square of Student's t.
    allowed = 1 + float(stdtrit(freedom, 0.5 + confidence / 2)) ** 2 / freedom
    sigma, kappa = _closing_in(n, logs, there, allowed)
    s, k = (grid.ravel() for grid in np.meshgrid(sigma, kappa, indexing="ij"))
    squares = _squares(n, logs, there, s, k)
    best = int(np.argmin(squares))
    likely = _with_neighbours(squares <= max(squares[best] * allowed, 1e-12))
    s, k = np.append(s[best], s[likely]), np.append(k[best], k[likely])
    one = np.exp(_levels(n, logs, there, s, k).mean(axis=1))
    # Where contention alone takes more than another one adds, the rate falls from the first on.
    bent = (k > 0) | (s >= 1)
    peak = np.where(bent, np.sqrt(np.maximum(1 - s, 0) / np.maximum(k, 1e-300)), np.inf)
    at = np.geomspace(n.min(), n.max(), 40)
    level_error = _level_error(_levels(n, logs, there, s[:1], k[:1])[0], confidence)
    curves = one[:, None] * at / _slowing(at, s, k)
    # One block tells nothing of it: the band is then that of the shape alone.
    bands = [_widened(those, level_error if len(logs) > 1 else 0.0) for those in curves.T]
    highest = one * np.where(bent, _at(np.where(bent, np.maximum(peak, 1), 1), s, k), _limit(s))
    return UslFit(
        one_rps=_widened(one, level_error),
        sigma=_range(s),
        kappa=_range(k),
        peak_at=_range(np.maximum(peak, 1)),
        peak_rps=_widened(highest, level_error),
        extrapolated=bool(peak[0] > n.max()),
        curve=tuple(
            (float(x), band.estimate, band.low, band.high)
            for x, band in zip(at, bands, strict=True)
        ),
        misfit=_misfit(n, logs, there, s[:1], k[:1]),
        blocks=len(logs),
        confidence=confidence,
    )


def _closing_in(n: Array, logs: Array, present: Array, allowed: float) -> tuple[Array, Array]:
    """Grids of σ and κ that hold the likely region and little else."""
    sigma = np.append(0.0, np.geomspace(LEAST_SIGMA, 20.0, CELLS - 1))
    kappa = np.append(0.0, np.geomspace(LEAST_KAPPA, 1.0, CELLS - 1))
    for _ in range(ROUNDS):
        s, k = np.meshgrid(sigma, kappa, indexing="ij")
        squares = _squares(n, logs, present, s.ravel(), k.ravel()).reshape(s.shape)
        likely = squares <= max(float(squares.min()) * allowed, 1e-12)
        sigma = _around(sigma, np.flatnonzero(likely.any(axis=1)))
        kappa = _around(kappa, np.flatnonzero(likely.any(axis=0)))
    return sigma, kappa


def _with_neighbours(likely: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The region and a cell all around it: its border lies between cells, never inside one."""
    wide = np.pad(likely.reshape(CELLS, CELLS), 1)
    spread = wide[1:-1, 1:-1].copy()
    for by in (-1, 1):
        for axis in (0, 1):
            spread |= np.roll(wide, by, axis)[1:-1, 1:-1]
    return spread.ravel()


def _around(grid: Array, places: NDArray[np.intp]) -> Array:
    """A finer grid from the cell before the first likely one to the cell after the last."""
    low, high = grid[max(places[0] - 1, 0)], grid[min(places[-1] + 1, len(grid) - 1)]
    if low > 0 and high / low > 10:
        return np.geomspace(low, high, CELLS)
    if low == 0 and places[0] <= 1 and high > 0:
        return np.append(0.0, np.geomspace(high / 1e3, high, CELLS - 1))
    return np.linspace(low, high, CELLS)


def _slowing(n: Array, sigma: Array, kappa: Array) -> Array:
    slowing: Array = 1 + sigma[:, None] * (n - 1) + kappa[:, None] * n * (n - 1)
    return slowing


def _at(n: Array, sigma: Array, kappa: Array) -> Array:
    """X(n) / λ of each (n, σ, κ)."""
    at: Array = n / (1 + sigma * (n - 1) + kappa * n * (n - 1))
    return at


def _limit(sigma: Array) -> Array:
    """X(∞) / λ without coherency."""
    with np.errstate(divide="ignore"):
        return np.where(sigma > 0, 1 / np.maximum(sigma, 1e-300), np.inf)


def _rest(n: Array, logs: Array, present: Array, sigma: Array, kappa: Array) -> Array:
    """What the curve leaves unexplained, [cells, blocks, counts], each block's level taken out."""
    shape = np.log(n / _slowing(n, sigma, kappa))[:, None, :]
    rest = np.where(present, logs - shape, 0.0)
    level = rest.sum(axis=2, keepdims=True) / present.sum(axis=1)[:, None]
    return np.where(present, rest - level, 0.0)


def _squares(n: Array, logs: Array, present: Array, sigma: Array, kappa: Array) -> Array:
    return np.concatenate(
        [
            (_rest(n, logs, present, s, k) ** 2).sum(axis=(1, 2))
            for s, k in zip(np.array_split(sigma, 16), np.array_split(kappa, 16), strict=True)
        ]
    )


def _levels(n: Array, logs: Array, present: Array, sigma: Array, kappa: Array) -> Array:
    """log λ of each block, [cells, blocks]; their mean is that of all."""
    shape = np.log(n / _slowing(n, sigma, kappa))[:, None, :]
    rest = np.where(present, logs - shape, 0.0)
    levels: Array = rest.sum(axis=2) / present.sum(axis=1)
    return levels


def _level_error(levels: Array, confidence: float) -> float:
    """Half the width of Student's interval of the mean of the blocks' levels; infinite for one."""
    from scipy.special import stdtrit

    if len(levels) < 2:
        return math.inf
    error = float(levels.std(ddof=1)) / math.sqrt(len(levels))
    return error * float(stdtrit(len(levels) - 1, 0.5 + confidence / 2))


def _misfit(n: Array, logs: Array, present: Array, sigma: Array, kappa: Array) -> float:
    rest = _rest(n, logs, present, sigma, kappa)[0]
    return float(np.expm1(np.abs(rest.sum(axis=0) / present.sum(axis=0)).max()))


def _range(values: Array) -> Range:
    """The first value is the estimate; the interval spans all."""
    low, high = float(values.min()), float(values.max())
    return Range(float(values[0]), low, high if math.isfinite(high) else math.inf)


def _widened(values: Array, half: float) -> Range:
    """The same for rates, whose level errs by `half` on the logarithm: independent of the shape's
    error, so that their squares add up."""
    found = _range(values)
    middle = found.estimate
    if not math.isfinite(half + middle):
        return Range(middle, found.low * math.exp(-half), math.inf)
    low = math.hypot(math.log(middle / found.low), half)
    high = math.hypot(math.log(found.high / middle), half)
    return Range(middle, middle * math.exp(-low), middle * math.exp(high))
