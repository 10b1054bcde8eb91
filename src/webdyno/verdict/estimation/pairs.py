"""Every pair of entries, compared within blocks: mean, error and degrees of freedom.

All functions take arrays whose last two axes are blocks and entries; leading axes, if any, are
independent repetitions of the experiment, which is how the simulations use them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webdyno.verdict.array import Array
from webdyno.verdict.estimation.autocorrelation import autocorrelation, inflation
from webdyno.verdict.estimation.weights import block_weights

USUAL_LIMIT = 1.5
"""The usual noise is the mean of all pairs, but no more than this many of their medians: one wild
server is in E - 1 of the E (E - 1) / 2 pairs, and must not hide what the others show."""

LENT_TO_TWO = 0.4
"""Of the expected variance, what a pair's own must reach in a table of two servers and the twin of
one; degrees of freedom it lends none. Such a table looks even just when the noise of the noisier
server is small by chance, and a false claim comes closest: lending all, and degrees of freedom, it
let 2.0% of claims be false where 1.25% were allowed and B was four times as noisy as A. Lending
nothing, it let 2.0% be false where processes start in a fast or a slow mode: in three blocks a
difference may then vary by next to nothing
(`tests/unit/verdict/sequential/test_planned_looks.py`)."""


@dataclass(frozen=True)
class Pairs:
    """Paired differences of logarithms; the last axis of each array is the pair."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    mean: Array
    """Mean of log(first) - log(second) over the blocks that hold both; NaN without any."""
    noise: Array
    """Standard deviation of one block's difference, as used for the interval."""
    error: Array
    """Standard error of `mean`; infinite with fewer than two common blocks."""
    freedom: Array
    """Degrees of freedom of `error`."""
    blocks: NDArray[np.intp]
    """Blocks that hold both."""


def pair_indices(entries: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and second entry of every pair, in the order used throughout."""
    return np.triu_indices(entries, 1)


def paired_differences(
    logs: Array, known_weights: Array | None = None, twins: tuple[int, int] | None = None
) -> Pairs:
    """Compare all pairs of `logs`, logarithms with NaN where a trial is missing. `known_weights`
    [..., blocks] come from outside the table, such as a sentinel's. `twins` are an entry and its
    second trial in each block: against others the mean of both stands for the entry, which varies
    by less than either. Their own difference says nothing about that mean, so that it still tells
    whether the two are alike.

    What is common to a block (a hot machine, a noisy neighbour) cancels in the difference. What
    remains varies by as much as the pair's own differences do, or as the noise of its two entries
    makes expect (`_expected`), whichever is larger: with three to ten blocks a variance is often
    far too small by chance, and only the larger of the two is safe. Both grow where blocks
    resemble the block before (`autocorrelation`). Two entries of which one has a twin are too few
    to lend each other more than a floor (`LENT_TO_TWO`).
    """
    entries = logs.shape[-1]
    first, second = pair_indices(entries)
    there = ~np.isnan(logs[..., first] - logs[..., second])
    weights = block_weights(logs, first, second, known_weights) * there
    blocks = there.sum(axis=-2)
    enough = blocks > 1
    total = weights.sum(axis=-2)
    single = _spread(logs, weights, there)
    spread, parts = (
        (single, None) if twins is None else _with_twin(single, logs, weights, there, twins)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        expected, freedom = _expected(single.own, blocks, entries, parts)
        if twins is not None and entries == 3:
            expected, freedom = LENT_TO_TWO * expected, np.fmax(1.0, blocks - 1.0)
        carried = inflation(autocorrelation(single.residuals, there)[..., None], blocks)
        variance = np.fmax(spread.own, expected) * carried
        error = np.where(enough, np.sqrt(variance / total), np.inf)
    return Pairs(
        first,
        second,
        spread.mean,
        noise=np.where(enough, np.sqrt(variance), np.nan),
        error=error,
        freedom=np.where(enough, freedom, 1.0),
        blocks=blocks,
    )


@dataclass(frozen=True)
class _PairSpread:
    """How the differences of each pair [..., pairs] vary over the blocks."""

    mean: Array
    residuals: Array
    """[..., blocks, pairs], weighted: their squares sum to the variance of a block of weight one;
    zero where the pair is not there."""
    own: Array
    """That variance; NaN with fewer than two blocks."""


def _spread(logs: Array, weights: Array, present: NDArray[np.bool_]) -> _PairSpread:
    first, second = pair_indices(logs.shape[-1])
    differences = np.where(present, logs[..., first] - logs[..., second], 0.0)
    blocks = present.sum(axis=-2)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (weights * differences).sum(axis=-2) / weights.sum(axis=-2)
        residuals = np.where(present, np.sqrt(weights) * (differences - mean[..., None, :]), 0.0)
        own = np.where(blocks > 1, (residuals**2).sum(axis=-2) / (blocks - 1), np.nan)
    return _PairSpread(mean, residuals, own)


def _with_twin(
    single: _PairSpread,
    logs: Array,
    weights: Array,
    present: NDArray[np.bool_],
    twins: tuple[int, int],
) -> tuple[_PairSpread, Array]:
    """`single` with the differences where the mean of the `twins` stands for the first of them, and
    for each pair the part of an entry's variance that is left in it, [2, ..., pairs]: of the first
    and of the second entry."""
    entry, twin = twins
    first, second = pair_indices(logs.shape[-1])
    pooled = logs.copy()
    both = ~np.isnan(logs[..., twin])
    pooled[..., entry] = np.where(both, (logs[..., entry] + logs[..., twin]) / 2, logs[..., entry])
    against_twin = (first == twin) | (second == twin)
    of_means = _spread(pooled, weights, present)
    spread = _PairSpread(
        *(
            np.where(against_twin, getattr(single, name), getattr(of_means, name))
            for name in ("mean", "residuals", "own")
        )
    )
    left = np.where(both, 0.5, 1.0)[..., None]
    with np.errstate(invalid="ignore", divide="ignore"):
        left = (weights * left).sum(axis=-2) / weights.sum(axis=-2)
    parts = np.stack(
        [np.where((side == entry) & ~against_twin, left, 1.0) for side in (first, second)]
    )
    return spread, parts


def _expected(
    own: Array, blocks: NDArray[np.intp], entries: int, parts: Array | None
) -> tuple[Array, Array]:
    """Variance that the noise of its two entries gives each pair, with its degrees of freedom.

    The variance of a difference is the sum of the two entries' own, so the entries' follow from
    those of all pairs (Grubbs 1948, JASA 43, 243-264). An entry's own counts where it is above the
    usual one, else the usual: the table lends its steadiness to an entry that looks quieter than it
    is (the idea of the moderated t, Smyth 2004, doi:10.2202/1544-6115.1027, but never to an entry's
    advantage). Degrees of freedom add up by Satterthwaite's formula (1946, Biometrics
    Bulletin 2, 110-114): many where the entries are alike, those of a single pair where one entry
    makes all the noise. With two entries there is nothing to borrow from.
    """
    first, second = pair_indices(entries)
    known = ~np.isnan(own)
    single = np.where(known, blocks - 1.0, 1.0)
    if entries < 3:
        return own, single
    known_own = np.where(known, own, 0.0)
    weight = np.where(known, blocks - 1.0, 0.0)
    total = weight.sum(axis=-1, keepdims=True)
    pooled = (known_own * weight).sum(axis=-1, keepdims=True) / total / 2
    member = np.zeros((first.size, entries))
    member[np.arange(first.size), first] = member[np.arange(first.size), second] = 1.0
    with_others = (known_own @ member) / (known @ member)
    noise = np.maximum(((entries - 1) * with_others - entries * pooled) / (entries - 2), 0.0)
    usual = np.fmin(pooled, USUAL_LIMIT * _lower_median(own) / 2)
    alike = np.nansum(noise, axis=-1, keepdims=True) ** 2
    alike = alike / np.nansum(noise**2, axis=-1, keepdims=True)
    # Of the residuals of the two-way table of blocks and entries: with every trial there, each
    # pair has blocks - 1 of them and the table (blocks - 1) (entries - 1).
    residual = total * 2 / entries
    shared = np.fmin(residual, residual / (entries - 1) * alike)
    used = np.fmax(noise, usual)
    alone = (blocks @ member) / (entries - 1) - 1
    freedom = np.fmax(1.0, alone + np.fmax(shared - alone, 0.0) * np.fmin(1.0, usual / used))
    one, other = used[..., first], used[..., second]
    if parts is not None:
        one, other = one * parts[0], other * parts[1]
    sums = one + other
    pair_freedom = sums**2 / (one**2 / freedom[..., first] + other**2 / freedom[..., second])
    # NaN where nothing varies at all: `fmax` then takes the pair's own.
    return sums, np.fmax(single, np.fmin(pair_freedom, np.fmax(single, shared)))


def _lower_median(values: Array) -> Array:
    """Over the last axis, of what is not NaN; the lower of the two in the middle."""
    ordered = np.sort(values, axis=-1)  # NaN goes last
    count = (~np.isnan(values)).sum(axis=-1, keepdims=True)
    return np.take_along_axis(ordered, np.maximum((count - 1) // 2, 0), axis=-1)
