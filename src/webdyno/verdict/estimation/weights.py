"""Blocks that say less than others count for less."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webdyno.verdict.array import Array

SPREAD_LIMIT = 4.0
"""A block whose variance among the other entries is above this multiple of the usual one counts
for less. Twice the usual spread is rare by chance, and usual in a slow phase of the machine."""

OTHERS_NEEDED = 3
"""Entries beside the pair that are needed to judge a block: fewer say too little about it."""

SLOW = 0.05
"""A block is slow where the machine lost at least this part of its usual speed, ..."""

UNUSUAL = 3.0
"""... and this many times the usual variation between blocks."""

LEAST_WEIGHT = 0.25
"""No block counts for less by the sentinel's word."""

BLOCKS_NEEDED = 5
"""Blocks that are needed before one can be called unlike the rest."""


def block_weights(
    logs: Array,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    known: Array | None = None,
) -> Array:
    """Weight of each block for each pair, [..., blocks, pairs], one where nothing is unusual.

    In a slow phase of a machine the servers do not all slow down by the same factor, so that the
    block says less than others. How much less is judged by the entries outside the pair alone:
    then a weight cannot favour an answer, and a server that is slow now and then of its own keeps
    those trials at full weight. `known` [..., blocks] are weights from outside the table
    (`sentinel_weights`); of both the smaller counts.
    """
    blocks, entries = logs.shape[-2:]
    outside = np.ones((*logs.shape[:-1], first.size))
    if known is not None:
        outside = outside * known[..., None]
    if entries < OTHERS_NEEDED + 2 or blocks < BLOCKS_NEEDED:
        return _scaled(outside)
    there = ~np.isnan(logs)
    centre = nanmedian(logs, axis=-2)
    rest = np.where(there, logs - centre[..., None, :], 0.0)

    def sum_of_others(values: Array) -> Array:
        everyone: Array = values.sum(axis=-1, keepdims=True)
        return everyone - values[..., first] - values[..., second]

    count, sums, squares = (
        sum_of_others(there.astype(float)),
        sum_of_others(rest),
        sum_of_others(rest**2),
    )
    judged = count >= OTHERS_NEEDED
    with np.errstate(invalid="ignore", divide="ignore"):
        # Never below zero: where all lie at their medians, rounding would decide the sign.
        spread = np.where(judged, np.fmax(squares - sums**2 / count, 0) / (count - 1), np.nan)
        usual = nanmedian(spread, axis=-2)[..., None, :]
        weights = np.minimum(1.0, SPREAD_LIMIT * usual / spread)
    weights = np.where(np.isfinite(weights), weights, 1.0)
    return _scaled(np.minimum(weights, outside))


def _scaled(weights: Array) -> Array:
    scale: Array = weights.mean(axis=-2, keepdims=True)
    return weights / scale


def sentinel_weights(speed: Array) -> Array:
    """Weight of each block from how fast a sentinel found the machine in it; NaN for unknown.

    One within `SLOW` of the median, or `UNUSUAL` times the usual variation, counts in full; beyond,
    the weight falls with the square, as if the noise had grown with the slowness, but not below
    `LEAST_WEIGHT`: a slow block is weighed, not dropped. The sentinel knows nothing of the servers,
    so that its weights cannot favour one.
    """
    logs = np.log(np.where(np.isfinite(speed) & (speed > 0), speed, np.nan))
    if np.count_nonzero(~np.isnan(logs)) < 3:
        return np.ones(logs.shape)
    off = logs - np.nanmedian(logs)
    usual = 1.4826 * float(np.nanmedian(np.abs(off)))
    limit = max(-float(np.log1p(-SLOW)), UNUSUAL * usual)
    with np.errstate(invalid="ignore", divide="ignore"):
        weights = np.where(off < -limit, (limit / off) ** 2, 1.0)
    return np.maximum(weights, LEAST_WEIGHT)


def nanmedian(values: Array, axis: int) -> Array:
    """`numpy.nanmedian` without its warning where every value is missing."""
    ordered = np.sort(values, axis=axis)  # NaN goes last
    count = (~np.isnan(values)).sum(axis=axis, keepdims=True)
    low = np.take_along_axis(ordered, np.maximum((count - 1) // 2, 0), axis)
    high = np.take_along_axis(ordered, np.minimum(count // 2, values.shape[axis] - 1), axis)
    return np.squeeze((low + high) / 2, axis=axis)
