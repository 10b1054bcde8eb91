"""Blocks that say less than others count for less."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SPREAD_LIMIT = 4.0
"""A block whose variance among the other entries is above this multiple of the usual one counts
for less. Twice the usual spread is rare by chance, and usual in a slow phase of the machine."""

OTHERS_NEEDED = 3
"""Entries beside the pair that are needed to judge a block: fewer say too little about it."""

BLOCKS_NEEDED = 5
"""Blocks that are needed before one can be called unlike the rest."""


def block_weights(logs: Array, first: NDArray[np.intp], second: NDArray[np.intp]) -> Array:
    """Weight of each block for each pair, [..., blocks, pairs], one where nothing is unusual.

    In a slow phase of a machine the servers do not all slow down by the same factor, so that the
    block says less than others. How much less is judged by the entries outside the pair alone:
    then a weight cannot favour an answer, and a server that is slow now and then of its own keeps
    those trials at full weight.
    """
    blocks, entries = logs.shape[-2:]
    if entries < OTHERS_NEEDED + 2 or blocks < BLOCKS_NEEDED:
        return np.ones((*logs.shape[:-1], first.size))
    there = ~np.isnan(logs)
    centre = nanmedian(logs, axis=-2)
    rest = np.where(there, logs - centre[..., None, :], 0.0)

    def others(values: Array) -> Array:
        everyone: Array = values.sum(axis=-1, keepdims=True)
        return everyone - values[..., first] - values[..., second]

    count, sums, squares = others(there.astype(float)), others(rest), others(rest**2)
    judged = count >= OTHERS_NEEDED
    with np.errstate(invalid="ignore", divide="ignore"):
        # Never below zero: where all lie at their medians, rounding would decide the sign.
        spread = np.where(judged, np.fmax(squares - sums**2 / count, 0) / (count - 1), np.nan)
        usual = nanmedian(spread, axis=-2)[..., None, :]
        weights = np.minimum(1.0, SPREAD_LIMIT * usual / spread)
    weights = np.where(np.isfinite(weights), weights, 1.0)
    scale: Array = weights.mean(axis=-2, keepdims=True)
    return weights / scale


def nanmedian(values: Array, axis: int) -> Array:
    """`numpy.nanmedian` without its warning where every value is missing."""
    ordered = np.sort(values, axis=axis)  # NaN goes last
    count = (~np.isnan(values)).sum(axis=axis, keepdims=True)
    low = np.take_along_axis(ordered, np.maximum((count - 1) // 2, 0), axis)
    high = np.take_along_axis(ordered, np.minimum(count // 2, values.shape[axis] - 1), axis)
    return np.squeeze((low + high) / 2, axis=axis)
