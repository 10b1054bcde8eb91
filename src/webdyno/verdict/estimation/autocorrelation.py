"""Autocorrelation of blocks: what resembling the block before does to the error of a mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webdyno.verdict.array import Array

BLOCKS_NEEDED = 4
"""Blocks that are needed before autocorrelation can be told from chance at all."""

LIMIT = 0.8
"""It is taken to be no stronger: what looks like more is a trend, which no formula mends ..."""

FEW, LIMIT_OF_FEW = 10, 0.3
"""... and in fewer blocks than these it is taken to be no stronger than intervals promise to hold
for: of 4 to 9 independent blocks, one series in six to ten seems to be more alike."""


def autocorrelation(residuals: Array, present: NDArray[np.bool_]) -> Array:
    """Correlation of a block with the next, from 0 to its limit: one figure for the whole table.

    Random order within blocks makes the machine's own moods harmless; what remains is an entry
    that fares alike from block to block. A single pair is too short a series to show it, so all
    pairs are put together. The correlation of residuals from a mean of n is -1/n on average where
    there is none (Kendall 1954, Biometrika 41, 403-404), which is put right here.

    `residuals` [..., blocks, pairs] are deviations from each pair's mean, zero where not `present`.
    """
    blocks = residuals.shape[-2]
    if blocks < BLOCKS_NEEDED:
        return np.zeros(residuals.shape[:-2])
    next_to = (residuals[..., 1:, :] * residuals[..., :-1, :]).sum(axis=(-1, -2))
    with np.errstate(invalid="ignore", divide="ignore"):
        raw = next_to / (residuals**2).sum(axis=(-1, -2))
        length = present.sum(axis=(-1, -2)) / np.count_nonzero(present.any(axis=-2), axis=-1)
        corrected = (length * raw + 1) / (length - 1)
    limit = LIMIT_OF_FEW if blocks < FEW else LIMIT
    return np.where(np.isfinite(corrected), np.clip(corrected, 0.0, limit), 0.0)


def inflation(correlation: Array, blocks: Array) -> Array:
    """Factor by which autocorrelation makes the variance of a mean larger than it looks.

    Two effects of a first-order autoregression, multiplied: the mean of n blocks varies more
    (Bartlett 1946, JRSS Supplement 8, 27-41), and their spread around it looks smaller.
    """
    r, n = correlation, np.maximum(blocks, 1.0)
    more = (1 + r) / (1 - r) - 2 * r * (1 - r**n) / (n * (1 - r) ** 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = more * (n - 1) / (n - more)
    return np.where((n >= BLOCKS_NEEDED) & np.isfinite(factor), np.maximum(factor, 1.0), 1.0)
