"""Entries whose own trials differ by more than the noise of the table explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webdyno.verdict.array import Array

SURE = 1e-3
"""Chance of naming an entry that varies no more than the others do."""

LEAST_NOISE = 0.02
"""No table is taken to be quieter: below, differences from start to start are usual."""


@dataclass(frozen=True)
class Restless:
    """An entry that differs from itself. `spread` is its largest figure over its smallest, less
    one, beside what its blocks share; `usual` the same, as the others' noise would make it."""

    entry: str
    spread: float
    usual: float


def restless(values: Array, labels: Sequence[str]) -> list[Restless]:
    """The restless entries of a table [blocks, entries]; NaN where a trial yielded nothing.

    What a block shares is the mean of the other entries. An entry's variance beside it is held
    against the others' interaction mean square (two-way layout without repetition) by an F-test, at
    `SURE` for all entries together: on equal Gaussian noise both are independent estimates of one
    variance. Beside a single other entry nobody could tell who of the two moved; there the plain
    variances are compared. At least three blocks and two entries are needed.
    """
    from scipy.special import fdtrc, ndtri

    logs = np.log(np.where(np.isfinite(values) & (values > 0), values, np.nan))
    found: list[Restless] = []
    for place, label in enumerate(labels):
        own, others = logs[:, place], np.delete(logs, place, axis=1)
        both = np.isfinite(own) & np.isfinite(others).any(axis=1)
        others = others[both][:, np.isfinite(others[both]).sum(axis=0) >= 2]
        if both.sum() < 3 or others.shape[1] == 0 or not np.isfinite(others).any(axis=1).all():
            continue
        own = own[both]
        shared, usual, freedom = _noise(others)
        if others.shape[1] > 1:
            own = own - shared
            # The mean of the others has noise of its own.
            usual *= 1 + float((1 / np.isfinite(others).sum(axis=1)).mean())
        usual = max(usual, LEAST_NOISE**2)
        p = float(fdtrc(len(own) - 1, freedom, np.var(own, ddof=1) / usual))
        if p < SURE / len(labels):
            # The range to be expected of so many normal values, from Blom's scores (1958).
            width = float(ndtri(1 - 0.375 / (len(own) + 0.25)) * 2 * usual**0.5)
            found.append(
                Restless(label, float(np.expm1(own.max() - own.min())), float(np.expm1(width)))
            )
    return found


def _noise(logs: Array) -> tuple[Array, float, int]:
    """What each block of `logs` shares, the variance beside it, and its degrees of freedom."""
    known = np.isfinite(logs)
    blocks, entries = logs.shape
    filled = np.where(known, logs, 0.0)
    if entries == 1:
        return filled[:, 0], float(np.var(filled[:, 0], ddof=1)), blocks - 1
    shared, level = np.zeros(blocks), np.zeros(entries)
    for _ in range(1 if known.all() else 30):
        # Least squares, by turns; at once where nothing is missing.
        level = ((filled - shared[:, None]) * known).sum(axis=0) / known.sum(axis=0)
        shared = ((filled - level) * known).sum(axis=1) / known.sum(axis=1)
    rest = (filled - level - shared[:, None]) * known
    freedom = max(1, int(known.sum()) - blocks - entries + 1)
    return shared, float((rest**2).sum()) / freedom, freedom
