"""Where a series of runs changed its level, with a limit on false alarms."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from webdyno.verdict.array import Array

LEAST = 2
"""Runs on either side of a change: one run alone is an event, not a level."""

PERMUTATIONS = 1999

_END = 0.05
"""The p-value up to which the second end of an arc is a change, too."""

LEAST_SPREAD = 1e-9
"""Of logarithms: less is rounding."""


@dataclass(frozen=True)
class LevelChange:
    """The series has another level from `index` on; `ratio` is the new one to the old one, within
    `low`..`high`. It may also have changed at any run from `earliest` to `latest`."""

    index: int
    ratio: float
    low: float
    high: float
    earliest: int
    latest: int


@dataclass(frozen=True)
class _SeriesPart:
    """Runs `begin` to `end` of one series, and the most telling place to cut them."""

    series: int
    begin: int
    end: int


def change_points(
    values: Array, *, error_rate: float = 0.05, confidence: float = 0.95
) -> list[list[LevelChange]]:
    """For each column of `values` [runs, series], in the order of time, where its level changed.

    A change is told by how far the mean of some runs in a row lies from that of the rest, as a part
    of the whole spread (circular binary segmentation, which also sees a level that came and went:
    Olshen et al. 2004, Biostatistics 5, 557-572). The largest such figure is compared with those of
    the same runs in random order, of all series together (the maximum over series: Westfall & Young
    1993, Resampling-Based Multiple Testing).
    So, whatever the runs' distribution, at most `error_rate` of histories without a change hold
    any: as long as runs do not resemble the run before. Found parts are searched again, with what
    was kept of the error rate. The random orders are always the same: so are the changes found in
    the same values.

    How large each change is, and where it may be, holds with `confidence` for that change, given
    that it was found: by the t-distribution, with one noise for all levels of a series.

    NaN marks a run without a value. Fewer than ten runs can hardly show anything at 5%.
    """
    logs = np.log(np.where(np.isfinite(values) & (values > 0), values, np.nan))
    held = [np.flatnonzero(~np.isnan(column)) for column in logs.T]
    series = [logs[known, place] for place, known in enumerate(held)]
    cuts: list[list[int]] = [[] for _ in series]
    parts = [_SeriesPart(place, 0, len(one)) for place, one in enumerate(series)]
    # Three quarters for the first search, a quarter of that for the next: in all no more than 1.
    level, rng = error_rate * 0.75, np.random.default_rng(len(logs))
    while parts := [part for part in parts if part.end - part.begin >= 2 * LEAST]:
        found = _tested([series[p.series][p.begin : p.end] for p in parts], level, rng)
        parts, searched = [], parts
        for part, arc in zip(searched, found, strict=True):
            if arc:
                at = [part.begin + cut for cut in arc]
                cuts[part.series] += at
                bounds = pairwise([part.begin, *at, part.end])
                parts += [_SeriesPart(part.series, begin, end) for begin, end in bounds]
        level *= 0.25
    return [
        _changes(one, sorted(where), known, confidence)
        for one, where, known in zip(series, cuts, held, strict=True)
    ]


def _changes(
    one: Array, cuts: list[int], known: NDArray[np.intp], confidence: float
) -> list[LevelChange]:
    if not cuts:
        return []
    ends = [0, *cuts, len(one)]
    levels = [one[begin:end] for begin, end in pairwise(ends)]
    freedom = len(one) - len(levels)
    squares = sum(float(((level - level.mean()) ** 2).sum()) for level in levels)
    noise = max(squares / freedom, LEAST_SPREAD**2)
    found = []
    for place, cut in enumerate(cuts):
        old, new = levels[place], levels[place + 1]
        size = float(new.mean() - old.mean())
        half = float(stats.t.isf((1 - confidence) / 2, freedom)) * np.sqrt(
            noise * (1 / len(old) + 1 / len(new))
        )
        first, last = _where(np.concatenate([old, new]), len(old), noise, freedom, confidence)
        begin = cut - len(old)
        found.append(
            LevelChange(
                index=int(known[cut]),
                ratio=float(np.exp(size)),
                low=float(np.exp(size - half)),
                high=float(np.exp(size + half)),
                earliest=int(known[begin + first]),
                latest=int(known[begin + last]),
            )
        )
    return found


def _where(part: Array, cut: int, noise: float, freedom: int, confidence: float) -> tuple[int, int]:
    """The first and the last place at which the one change in `part` may be.

    All places at which two levels fit nearly as well as at the best one: by so much that the true
    place is among them with `confidence` (the likelihood ratio's limit for small changes, the
    larger of two independent maxima with exponential tails: Siegmund 1988, International
    Statistical Review 56, 31-48; widened for a noise that is estimated).
    """
    places = np.arange(LEAST, len(part) - LEAST + 1)
    sums, total = np.cumsum(part), part.sum()
    left = sums[places - 1]
    # What two levels explain; what remains differs by as much.
    explained = left**2 / places + (total - left) ** 2 / (len(part) - places)
    limit = -2 * np.log(1 - np.sqrt(confidence))
    limit *= stats.f.ppf(confidence, 1, freedom) / stats.chi2.ppf(confidence, 1)
    near = places[explained >= explained.max() - limit * noise]
    return int(min(near.min(), cut)), int(max(near.max(), cut))


def _tested(parts: list[Array], level: float, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Where to cut each part; nowhere where chance may have done it."""
    seen = [_largest(part[None, :]) for part in parts]
    most = np.zeros(PERMUTATIONS)
    for part in parts:
        mixed = rng.permuted(np.broadcast_to(part, (PERMUTATIONS, part.size)), axis=1)
        most = np.maximum(most, _largest(mixed)[0])
    found: list[tuple[int, ...]] = []
    for part, (size, arc) in zip(parts, seen, strict=True):
        # The order that was seen is one of the possible ones. Rounding must not decide a tie.
        as_large = np.count_nonzero(most >= size[0] * (1 - 1e-9))
        sure = (1 + as_large) / (1 + PERMUTATIONS) <= level
        cuts = tuple(cut for cut in arc if 0 < cut < len(part))
        found.append(_real(part, cuts, rng) if sure else ())
    return found


def _real(part: Array, cuts: tuple[int, ...], rng: np.random.Generator) -> tuple[int, ...]:
    """Of an arc's two ends those at which the level changes.

    A change at one end makes an arc, too, whose other end is chance (the edge effect of Olshen
    et al. 2004): so each end is compared with random orders of the runs on either side of it. The
    more telling one always stays.
    """
    if len(cuts) < 2:
        return cuts
    bounds = [0, *cuts, len(part)]
    p_values = []
    for before, cut, after in zip(bounds, cuts, bounds[2:], strict=False):
        near, size = part[before:after], cut - before
        mixed = rng.permuted(np.broadcast_to(near, (PERMUTATIONS, near.size)), axis=1)
        apart = abs(near[:size].mean() - near[size:].mean())
        chance = abs(mixed[:, :size].mean(axis=1) - mixed[:, size:].mean(axis=1))
        as_large = np.count_nonzero(chance >= apart * (1 - 1e-9))
        p_values.append((1 + as_large) / (1 + PERMUTATIONS))
    keep = max(_END, min(p_values))
    return tuple(cut for cut, p in zip(cuts, p_values, strict=True) if p <= keep)


def _largest(rows: Array) -> tuple[Array, tuple[int, int]]:
    """Of each row the largest distance of an arc's mean from that of the rest; and of the first row
    where that arc begins and ends."""
    size = rows.shape[1]
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=1))
    sums = np.pad(np.cumsum(centred, axis=1), ((0, 0), (1, 0)))
    most, where = np.zeros(len(rows)), (0, 0)
    # Nothing varies but by rounding: then nothing has changed.
    scale = np.where(spread > LEAST_SPREAD, spread, np.inf)
    for begin in (0, *range(LEAST, size - LEAST + 1)):
        ends = np.array([*range(begin + LEAST, size - LEAST + 1), *([size] if begin else [])])
        if not ends.size:
            continue
        length = ends - begin
        apart = np.abs(sums[:, ends] - sums[:, begin, None])
        apart = apart * np.sqrt(size / (length * (size - length))) / scale[:, None]
        best = apart.max(axis=1)
        if best[0] > most[0]:
            where = begin, int(ends[apart[0].argmax()])
        most = np.maximum(most, best)
    return most, where
