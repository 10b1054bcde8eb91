"""Comparing two runs: their trials share no blocks, so they are compared as two samples."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from webdyno.verdict.array import Array
from webdyno.verdict.estimation.autocorrelation import autocorrelation, inflation
from webdyno.verdict.estimation.intervals import critical

USUAL_LIMIT = 1.5
"""The usual variance is the mean of all columns, but at most this many of their medians."""


ChangeOutcome = Literal["better", "worse", "equal", "not separated"]
"""What a change is called: equal within the margin, or not separated where the interval allows more
than one."""


@dataclass(frozen=True)
class Drift:
    """How much faster the machine was in the later run, on the logarithm, as a sentinel saw it."""

    log_ratio: float
    error: float
    freedom: float

    @property
    def ratio(self) -> float:
        """1.02: the machine was 2% faster in the later run."""
        return math.exp(self.log_ratio)


@dataclass(frozen=True)
class UnpairedChange:
    """How `new` stands to `old`: a ratio of geometric means, turned so that above 1 is better,
    with its interval."""

    estimate: float
    low: float
    high: float
    margin: float

    @property
    def outcome(self) -> ChangeOutcome:
        """`better`, `worse`, `equal` (within the margin), or `not separated`."""
        if self.low >= 1 / (1 + self.margin) and self.high <= 1 + self.margin:
            return "equal"
        if self.low > 1:
            return "better"
        if self.high < 1:
            return "worse"
        return "not separated"

    def opened(self, old: bool, new: bool) -> UnpairedChange:
        """The same where the old figure, or the new one, is the least that could be done: how much
        more could have been is not known."""
        low, high = 0.0 if old else self.low, math.inf if new else self.high
        return replace(self, low=low, high=high)

    @property
    def regression(self) -> bool:
        """True where it is certainly worse by more than the margin."""
        return self.high < 1 / (1 + self.margin)


def changes(
    old: Array,
    new: Array,
    *,
    higher_is_better: bool = True,
    margin: float = 0.03,
    error_rate: float = 0.05,
    drift: Drift | None = None,
) -> list[UnpairedChange | None]:
    """For each column of `old` and `new` [blocks, places] how it changed; NaN marks a trial that
    yielded nothing. None where a side has fewer than two values.

    `error_rate` is for one interval: share it out over all that are made. Variances are those of
    `_mean_error`; the two runs' add up with Satterthwaite's degrees of freedom (Welch 1947,
    Biometrika 34, 28-35), on logarithms because trials vary by a factor.

    Two runs are not interleaved: between them the machine may have changed, which no number of
    blocks shows. Where `drift` is known the interval covers both what was measured and what
    remains when the drift is taken out, because a server may feel all of it or none.
    """
    sign = 1.0 if higher_is_better else -1.0
    a, b = _mean_error(_logs(old)), _mean_error(_logs(new))
    intervals: list[UnpairedChange | None] = []
    for place in range(old.shape[1]):
        if not (math.isfinite(a.error[place]) and math.isfinite(b.error[place])):
            intervals.append(None)
            continue
        centre = sign * float(b.mean[place] - a.mean[place])
        parts = [(a.error[place], a.freedom[place]), (b.error[place], b.freedom[place])]
        half = _half(parts, error_rate)
        low, high = centre - half, centre + half
        if drift is not None:
            half = _half([*parts, (drift.error, drift.freedom)], error_rate)
            low = min(low, centre - drift.log_ratio - half)
            high = max(high, centre - drift.log_ratio + half)
        intervals.append(UnpairedChange(math.exp(centre), math.exp(low), math.exp(high), margin))
    return intervals


def drift_of(old: Array, new: Array) -> Drift | None:
    """The machine's drift from the sentinel's figures (higher is faster) of two runs; None where
    either has fewer than two."""
    a, b = (_mean_error(_logs(values[:, None])) for values in (old, new))
    if not (np.isfinite(a.error[0]) and np.isfinite(b.error[0])):
        return None
    parts = [(float(side.error[0]), float(side.freedom[0])) for side in (a, b)]
    error = math.hypot(*(error for error, _ in parts))
    return Drift(float(b.mean[0] - a.mean[0]), error, _freedom(parts))


@dataclass(frozen=True)
class _MeanErrors:
    mean: Array
    error: Array
    freedom: Array


def _logs(values: Array) -> Array:
    table = np.asarray(values, dtype=float)
    return np.log(np.where(np.isfinite(table) & (table > 0), table, np.nan))


def _mean_error(logs: Array) -> _MeanErrors:
    """Mean of each column with its standard error and degrees of freedom.

    With few blocks a variance is often far too small by chance, so each column counts with its own
    or the usual one of the run, whichever is larger, and the less it stands out, the more of the
    run's degrees of freedom it may use. Those are (n - 1) (tr S)^2 / tr S^2 with S the covariance
    of the columns (Box 1954, Annals of Mathematical Statistics 25, 290-302): columns that move
    together count as few. Blocks that resemble the block before widen all (`autocorrelation`).
    """
    there = ~np.isnan(logs)
    count = there.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(there, logs, 0.0).sum(axis=0) / count
        rest = np.where(there, logs - mean, 0.0)
        own = np.where(count > 1, (rest**2).sum(axis=0) / (count - 1), np.nan)
    known = np.isfinite(own)
    if not known.any():
        nothing = np.full(count.shape, np.inf)
        return _MeanErrors(mean, nothing, np.ones(count.shape))
    usual = min(float(own[known].mean()), USUAL_LIMIT * float(np.median(own[known])))
    freedom = np.maximum(count - 1.0, 1.0)
    used = np.fmax(own, usual)
    covariance = rest[:, known].T @ rest[:, known]
    squares = float((covariance**2).sum())
    if squares > 0:
        typical = float(np.median(count[known]) - 1)
        shared = max(typical * float(np.trace(covariance)) ** 2 / squares, 1.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            gained = np.fmax(shared - freedom, 0.0) * np.fmin(1.0, usual / used)
        freedom = freedom + np.nan_to_num(gained)
    carried = inflation(autocorrelation(rest, there)[..., None], count.astype(float))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.where(known, np.sqrt(used * carried / count), np.inf)
    return _MeanErrors(mean, error, freedom)


def _freedom(parts: list[tuple[float, float]]) -> float:
    squares = [error**2 for error, _ in parts]
    below = sum(s**2 / freedom for s, (_, freedom) in zip(squares, parts, strict=True))
    return sum(squares) ** 2 / below if below > 0 else 1.0


def _half(parts: list[tuple[float, float]], error_rate: float) -> float:
    error = math.sqrt(sum(error**2 for error, _ in parts))
    return error * float(critical(np.array(_freedom(parts)), error_rate)) if error else 0.0
