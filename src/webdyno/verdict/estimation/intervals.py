"""Simultaneous confidence intervals for the differences of all pairs."""

from __future__ import annotations

import numpy as np

from webdyno.verdict.array import Array
from webdyno.verdict.estimation.pairs import Pairs


def critical(freedom: Array, error_rate: float) -> Array:
    """Two-sided critical value of Student's t; infinite where no error is allowed.

    `error_rate` is the probability of lying beyond it on either side.
    """
    # Imported late: scipy.special costs 0.15 s, which only a command that concludes should pay.
    from scipy.special import stdtrit

    if error_rate <= 0:
        return np.full(np.shape(freedom), np.inf)
    return -np.asarray(stdtrit(freedom, error_rate / 2), dtype=float)


def two_sided_p(pairs: Pairs) -> Array:
    """p-value of each pair's difference on its own, as if nothing else were looked at."""
    from scipy.special import stdtr

    with np.errstate(invalid="ignore", divide="ignore"):
        size = np.abs(pairs.mean) / pairs.error
    # No spread at all: equal means say nothing against equality, unequal ones everything.
    size = np.where((pairs.error == 0) & (pairs.mean == 0), 0.0, size)
    return np.where(np.isfinite(pairs.error), 2 * stdtr(pairs.freedom, -size), 1.0)


def half_widths(pairs: Pairs, error_rate: float) -> Array:
    """Half the width of each pair's interval at `error_rate`; infinite where nothing is known."""
    width = np.full(pairs.error.shape, np.inf)
    known = np.isfinite(pairs.error)
    limit = np.broadcast_to(critical(pairs.freedom, error_rate), width.shape)
    if error_rate > 0:
        width[known] = limit[known] * pairs.error[known]
    return width


def closed(low: Array, high: Array) -> tuple[Array, Array]:
    """Tighten intervals [entries, entries] of differences by what they imply of each other.

    All intervals hold together, so a - b = (a - k) + (k - b) must lie between the sums of their
    ends as well, at no cost in confidence: what remains is the shortest path between every two
    entries (Floyd 1962, CACM 5, 345). The outcomes become transitive: a faster than k, and k
    faster than b, makes a faster than b. Intervals that exclude each other (possible where trials
    are missing, and then rare) are given back as they came.
    """
    upper = np.fmin(high, -low.T)
    np.fill_diagonal(upper, 0.0)
    for k in range(upper.shape[0]):
        upper = np.minimum(upper, upper[:, k, None] + upper[None, k, :])
    if (np.diagonal(upper) < -1e-12).any():
        return low, high
    return -upper.T, upper
