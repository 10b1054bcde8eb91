"""What the blocks say about the machine: its speed from block to block, slow phases, drift."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webdyno.verdict.array import Array
from webdyno.verdict.estimation.autocorrelation import autocorrelation
from webdyno.verdict.estimation.weights import SLOW, UNUSUAL, nanmedian

TREND_BLOCKS = 6
"""Blocks below which a trend cannot be told from chance."""

TREND_LEVEL = 0.01
"""Probability of calling a trend where there is none, over all entries."""


@dataclass(frozen=True)
class BlockSeries:
    """The machine over a run."""

    speed: tuple[float, ...]
    """Speed of each block against the median one, 1.0 being usual; NaN for an empty block. What
    all entries have in common, so that a slow server does not make a slow block."""
    slow: tuple[int, ...]
    """Blocks in a slow phase. They stay in the verdict: what they share cancels in ratios."""
    drift: float
    """Change of the machine's speed per block: -0.01 is 1% slower with each."""
    noise: float
    """Standard deviation of one entry's figure beside what its block shares, as a part of it; NaN
    with fewer than two blocks or entries. What `power` asks for."""
    autocorrelation: float
    """Correlation of a block with the next, beyond what they share: 0 where there is none. It
    widens all intervals."""
    trends: dict[int, float]
    """Entries that surely move against the others, with their change per block: a leak, a file
    that grows, a cache that fills. Their comparisons depend on when one looks."""


def blocks_of(values: Array, *, higher_is_better: bool = True) -> BlockSeries:
    """Describe the blocks of `values` [blocks, entries], NaN where a trial is missing."""
    logs = np.log(np.where(np.isfinite(values) & (values > 0), values, np.nan))
    logs = logs if higher_is_better else -logs
    own = logs - nanmedian(logs, axis=0)
    common = nanmedian(own, axis=1)
    common = common - nanmedian(common, axis=0)
    rest = own - common[:, None]
    usual = 1.4826 * float(nanmedian(np.abs(common), axis=0))
    limit = max(-float(np.log1p(-SLOW)), UNUSUAL * usual)
    return BlockSeries(
        speed=tuple(float(s) for s in np.exp(common)),
        slow=tuple(int(b) for b in np.flatnonzero(common < -limit)),
        drift=float(np.expm1(_slope(common))),
        noise=_noise(logs),
        autocorrelation=_autocorrelation(logs),
        trends=_trends(rest),
    )


def _noise(logs: Array) -> float:
    """Residual deviation of the two-way table, through the pairs so that gaps do no harm."""
    first, second = np.triu_indices(logs.shape[1], 1)
    differences = logs[:, first] - logs[:, second]
    there = ~np.isnan(differences)
    free = np.maximum(there.sum(axis=0) - 1, 0)
    if not free.sum():
        return float("nan")
    filled = np.where(there, differences, 0.0)
    means = filled.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    squares = (np.where(there, differences - means, 0.0) ** 2).sum()
    return float(np.sqrt(squares / free.sum() / 2))


def _autocorrelation(logs: Array) -> float:
    first, second = np.triu_indices(logs.shape[1], 1)
    differences = logs[:, first] - logs[:, second]
    there = ~np.isnan(differences)
    if not there.any():
        return 0.0
    means = np.where(there, differences, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    return float(autocorrelation(np.where(there, differences - means, 0.0), there))


def slow_blocks(speed: Array) -> tuple[int, ...]:
    """Blocks that a series of speeds, such as the sentinel's, shows to be slow."""
    known = speed[:, None] if speed.size else np.full((0, 1), np.nan)
    return blocks_of(known).slow if np.count_nonzero(np.isfinite(speed)) >= 3 else ()


def _trends(rest: Array) -> dict[int, float]:
    level = TREND_LEVEL / max(rest.shape[1], 1)
    return {
        entry: float(np.expm1(_slope(series)))
        for entry, series in enumerate(rest.T)
        if one_way(series[~np.isnan(series)], level)
    }


def one_way(series: Sequence[float] | Array, level: float) -> bool:
    """Whether later values lie above earlier ones, or below, more often than chance: of series
    that go nowhere, `level` at the most do so. No series of fewer than `TREND_BLOCKS` does.

    Mann 1945, Econometrica 13, 245-259, with the normal distribution in place of the exact one.
    """
    from statistics import NormalDist

    held = np.asarray(series, dtype=np.float64)
    n = held.size
    if n < TREND_BLOCKS:
        return False
    i, j = np.triu_indices(n, 1)
    score = float(np.sign(held[j] - held[i]).sum())
    deviation = math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    return abs(score) - 1 > NormalDist().inv_cdf(1 - level / 2) * deviation


def _slope(series: Array) -> float:
    """Median of all pairwise slopes (Theil 1950; Sen 1968, JASA 63, 1379-1389), 0 for one value."""
    x = np.flatnonzero(~np.isnan(series))
    if x.size < 2:
        return 0.0
    i, j = np.triu_indices(x.size, 1)
    return float(np.median((series[x[j]] - series[x[i]]) / (x[j] - x[i])))
