"""Where a series of runs changed its level, with a limit on false alarms."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST = 2
"""Runs on either side of a change: one run alone is an event, not a level."""

PERMUTATIONS = 1999

LEAST_SPREAD = 1e-9
"""Of logarithms: less is rounding."""


@dataclass(frozen=True)
class LevelChange:
    """The series has another level from `index` on; `ratio` is the new one to the old one."""

    index: int
    ratio: float


@dataclass(frozen=True)
class _Part:
    """Runs `begin` to `end` of one series, and the most telling place to cut them."""

    series: int
    begin: int
    end: int


def change_points(values: Array, *, error_rate: float = 0.05) -> list[list[LevelChange]]:
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

    NaN marks a run without a value. Fewer than ten runs can hardly show anything at 5%.
    """
    logs = np.log(np.where(np.isfinite(values) & (values > 0), values, np.nan))
    held = [np.flatnonzero(~np.isnan(column)) for column in logs.T]
    series = [logs[known, place] for place, known in enumerate(held)]
    cuts: list[list[int]] = [[] for _ in series]
    parts = [_Part(place, 0, len(one)) for place, one in enumerate(series)]
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
                parts += [_Part(part.series, begin, end) for begin, end in bounds]
        level *= 0.25
    return [
        _changes(one, sorted(where), known)
        for one, where, known in zip(series, cuts, held, strict=True)
    ]


def _changes(one: Array, cuts: list[int], known: NDArray[np.intp]) -> list[LevelChange]:
    ends = [0, *cuts, len(one)]
    means = [one[begin:end].mean() for begin, end in pairwise(ends)] if cuts else []
    return [
        LevelChange(int(known[cut]), float(np.exp(means[place + 1] - means[place])))
        for place, cut in enumerate(cuts)
    ]


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
        found.append(tuple(cut for cut in arc if 0 < cut < len(part)) if sure else ())
    return found


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
