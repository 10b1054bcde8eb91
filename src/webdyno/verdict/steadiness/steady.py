"""Whether a server under load has become steady, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from webdyno.verdict.array import Array

SteadyKind = Literal["flat", "warming", "slowing", "never", "unsure"]

MIN_WINDOWS = 5
"""Windows a steady part must hold at least, and a segment between two changes of level."""

MAX_WINDOWS = 28
"""Windows that are always enough (2.8 s in windows of 100 ms): a noisy server is watched for longer
than a quiet one, until a drift could be seen, but not for ever."""

SURENESS = 0.015
"""Standard error to which the two halves of the steady part are compared, up to `MAX_WINDOWS`."""

MIN_PART = 0.25
"""Part of the series that must be steady: what changed for long has to hold for long, too."""

TOLERANCE = 0.03
"""Levels that differ by less count as the same; it is what studies call equal by default."""

LEAST_NOISE = 0.01
"""Windows are never taken to be quieter: a perfectly even series would be cut anywhere."""

PENALTY = 3.0
"""Cost of one more segment, in units of noise variance x log(windows): 2 is enough in the long run
(Yao 1988, Statistics & Probability Letters 6, 181-189), short series ask for some more."""

LIKENESS = 0.6
"""Neighbouring windows are never taken to be more alike than this correlation: beyond it, noise
and a change of level cannot be told apart."""

CLIP = 3.0
"""A window further than this many noises from the running median is pulled back: a pause is an
event, not a new level."""


@dataclass(frozen=True)
class Steady:
    """How the series ends.

    `since_s` is when the steady part began (None where there is none), `level` its throughput (of
    the last segment where not steady). `kind`: `flat` (steady from the start), `warming` or
    `slowing` (steady after it became faster or slower), `never` (still changing at the end),
    `unsure` (no change to be seen at the end, but the series is too short for its noise).
    """

    steady: bool
    since_s: float | None
    level: float
    kind: SteadyKind
    reason: str = ""
    """What was missing, where it is not steady."""


def steady_state(t: Array, throughput: Array, cpu_per_request: Array | None = None) -> Steady:
    """Judge a series of windows: their ends `t` in seconds, the rate in each, and, if known, the
    server's CPU time per request in each, which shows a compiler at work where the throughput is
    held down by something else.

    The series is cut where its level changes. Segments at the end whose levels agree within
    `TOLERANCE` are the steady part, unless it is too short or still moves in one direction: the
    classes of Barrett et al. 2017 (Proc. ACM Program. Lang. 1, OOPSLA, 52), told online. The first
    window is ignored: connections are opened in it.

    Costs about two milliseconds for 200 windows.
    """
    series = [throughput] if cpu_per_request is None else [throughput, cpu_per_request]
    signals = np.column_stack([_log(np.asarray(one, dtype=float)[1:]) for one in series])
    size = len(signals)
    if size < MIN_WINDOWS:
        return Steady(False, None, float(throughput[-1]) if len(throughput) else 0.0, "never")
    noise, long_run = _noise(signals)
    clipped = _clipped(signals, noise)
    begins = _same_level(clipped, _change_points(clipped / long_run), noise)
    unsure = False
    for begin in begins:
        part = clipped[begin:]
        if len(part) < MIN_PART * size:
            break
        if _moves(part, noise):
            continue
        unsure = True
        if _long_enough(part):
            # `begin` counts from the second window: t[begin] is the end of the window before.
            since = float(t[begin]) if begin else 0.0
            return Steady(True, since, _level(part), _kind(clipped, begin, noise))
    return Steady(False, None, _level(clipped[begins[-1] :]), "unsure" if unsure else "never")


def _noise(signals: Array) -> tuple[Array, Array]:
    """Standard deviation of a window, and the one that counts for means of many windows.

    From differences, so that changes of level hardly matter. Windows that resemble their
    neighbours (bursts, garbage collections) differ less from the next than from the third next;
    from both follows their correlation, and from it the long-run deviation.
    """
    near, far = (
        1.4826 * np.median(np.abs(signals[lag:] - signals[:-lag]), axis=0) / 2**0.5
        for lag in (1, 3)
    )
    noise = np.maximum(np.maximum(near, far), LEAST_NOISE)
    alike = np.clip(1 - (np.maximum(near, LEAST_NOISE) / noise) ** 2, 0.0, LIKENESS)
    return noise, noise * np.sqrt((1 + alike) / (1 - alike))


def _change_points(signals: Array) -> list[int]:
    """Ends of the segments of `signals` (noise one), the last of which is its length.

    Those that cost least: what windows differ from their segment's mean, squared, and a penalty for
    each segment. Exact, by optimal partitioning (Jackson et al. 2005, IEEE Signal Processing
    Letters 12, 105-108). `ruptures` finds the same, but takes a run 1.4 s to import.
    """
    size, dimensions = signals.shape
    penalty = PENALTY * dimensions * float(np.log(size))
    spread = _spread(signals)
    least = np.full(size + 1, np.inf)  # Of the first windows, by how many.
    least[0] = 0.0
    cuts = np.zeros(size + 1, dtype=int)  # Where the last of their segments begins.
    for end in range(MIN_WINDOWS, size + 1):
        costs = least[: end - MIN_WINDOWS + 1] + spread[end, : end - MIN_WINDOWS + 1]
        cuts[end] = costs.argmin()
        least[end] = costs[cuts[end]] + penalty
    ends = [size]
    while begin := int(cuts[ends[0]]):
        ends.insert(0, begin)
    return ends


def _spread(signals: Array) -> Array:
    """By end and begin of a part of `signals`: the squared differences from its mean, summed."""
    sums = np.vstack([np.zeros(signals.shape[1]), signals.cumsum(axis=0)])
    squares = np.append(0.0, (signals**2).sum(axis=1).cumsum())
    places = np.arange(len(squares))
    lengths = np.maximum(places[:, None] - places, 1)
    within = sum((one[:, None] - one) ** 2 for one in sums.T) / lengths
    spread: Array = squares[:, None] - squares - within
    return spread


def _log(values: Array) -> Array:
    """Logarithms; a window without answers counts as a hundredth of the usual."""
    usual = float(np.median(values)) if len(values) else 0.0
    logs: Array = np.log(np.maximum(values, max(usual / 100, 1e-9)))
    return logs


def _clipped(signals: Array, noise: Array) -> Array:
    padded = np.pad(signals, ((2, 2), (0, 0)), mode="reflect")
    running = np.median(np.lib.stride_tricks.sliding_window_view(padded, 5, axis=0), axis=-1)
    clipped: Array = np.clip(signals, running - CLIP * noise, running + CLIP * noise)
    return clipped


def _same_level(signals: Array, ends: list[int], noise: Array) -> list[int]:
    """Where a steady part may begin: each segment of the last level, and every few windows of the
    last segment, for the end of a curve that bends too gently to be cut."""
    begins = [0, *ends[:-1]]
    last = signals[begins[-1] :].mean(axis=0)
    found = list(range(begins[-1], len(signals) - MIN_WINDOWS + 1, MIN_WINDOWS)) or [begins[-1]]
    for start, end in zip(reversed(begins[:-1]), reversed(ends[:-1]), strict=True):
        if (np.abs(signals[start:end].mean(axis=0) - last) > _same(noise)).any():
            break
        found.insert(0, start)
    return found


def _long_enough(part: Array) -> bool:
    if len(part) < MIN_WINDOWS:
        return False
    _, long_run = _noise(part)
    return len(part) >= min(float(2 * long_run.max() / SURENESS) ** 2, MAX_WINDOWS)


def _moves(part: Array, noise: Array) -> bool:
    """True where a straight line through `part` climbs or falls by too much, surely."""
    size = len(part)
    x = np.arange(size) - (size - 1) / 2
    slope = x @ part / (x @ x)
    rest = part - part.mean(axis=0) - np.outer(x, slope)
    error = np.sqrt((rest**2).sum(axis=0) / max(size - 2, 1) / (x @ x))
    change = np.abs(slope) * (size - 1)
    surely = (change > _same(noise)) & (np.abs(slope) > 2.5 * error)
    return bool(surely.any())


def _same(noise: Array) -> Array:
    """Difference of logarithms below which two levels count as the same."""
    same: Array = np.maximum(np.log1p(TOLERANCE), noise / 2)
    return same


def _level(part: Array) -> float:
    return float(np.exp(part[:, 0].mean()))


def _kind(signals: Array, begin: int, noise: Array) -> SteadyKind:
    if begin == 0:
        return "flat"
    rise = signals[begin:].mean(axis=0) - signals[:begin].mean(axis=0)
    if abs(rise[0]) <= _same(noise)[0] and len(rise) > 1:
        return "warming" if rise[1] < 0 else "slowing"
    return "warming" if rise[0] > 0 else "slowing"
