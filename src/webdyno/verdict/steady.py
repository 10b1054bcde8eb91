"""Whether a server under load has become steady, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Kind = Literal["flat", "warming", "slowing", "never"]

MIN_WINDOWS = 5
"""Windows a steady part must hold: half a second of 100 ms windows says something about a level."""

MIN_PART = 0.25
"""Part of the series that must be steady: what changed for long must hold for longer to be believed."""

TOLERANCE = 0.03
"""Levels that differ by less count as the same; it is what studies call equal by default."""

LEAST_NOISE = 0.01
"""Windows are never taken to be quieter than this, or a perfectly even series would be cut anywhere."""

PENALTY = 4.0
"""Cost of one more segment, in units of noise variance x log(windows). Independent noise needs 2
(Yao 1988, Statistics & Probability Letters 6, 181-189); neighbouring windows share garbage
collections and neighbours' bursts, so that more is needed for the same caution."""

CLIP = 3.0
"""A window further than this many noises from the running median is pulled back: a pause is an
event, not a new level."""


@dataclass(frozen=True)
class Steady:
    """How the series ends.

    `since_s` is when the steady part began (None where there is none), `level` its throughput (of
    the last segment where not steady). `kind`: `flat` (steady from the start), `warming` or
    `slowing` (steady after it became faster or slower), `never` (not steady, or not yet).
    """

    steady: bool
    since_s: float | None
    level: float
    kind: Kind


def steady_state(t: Array, throughput: Array, cpu_per_request: Array | None = None) -> Steady:
    """Judge a series of windows: their ends `t` in seconds, the rate in each, and, if known, the
    server's CPU time per request in each, which shows a compiler at work where the throughput is
    held down by something else.

    The series is cut where its level changes (exact change points of the mean: Arlot, Celisse &
    Harchaoui 2019, JMLR 20, 1-56, as in `ruptures`). Segments at the end whose levels agree within
    `TOLERANCE` are the steady part, unless it is too short or still moves in one direction: the
    classes of Barrett et al. 2017 (Proc. ACM Program. Lang. 1, OOPSLA, 52), told online. The first
    window is ignored: connections are opened in it.

    Costs well under a millisecond for 200 windows. The first call in a process also imports
    `ruptures` (about 0.6 s): call `warm_imports` beforehand, where nothing is being measured.
    """
    series = [throughput] if cpu_per_request is None else [throughput, cpu_per_request]
    signals = np.column_stack([_log(np.asarray(one, dtype=float)[1:]) for one in series])
    size = len(signals)
    if size < MIN_WINDOWS:
        return Steady(False, None, float(throughput[-1]) if len(throughput) else 0.0, "never")
    noise = np.maximum(1.4826 * np.median(np.abs(np.diff(signals, axis=0)), 0) / 2**0.5, LEAST_NOISE)
    clipped = _clipped(signals, noise)
    ends = _change_points(clipped / noise)
    begins = [0, *ends[:-1]]
    last = clipped[begins[-1] :].mean(axis=0)
    same = np.maximum(np.log1p(TOLERANCE), noise / 2)
    begin = begins[-1]
    for start, end in zip(reversed(begins), reversed(ends), strict=True):
        if (np.abs(clipped[start:end].mean(axis=0) - last) > same).any():
            break
        begin = start
    level = float(np.exp(clipped[begin:, 0].mean()))
    if size - begin < max(MIN_WINDOWS, MIN_PART * size) or _moves(clipped[begin:], same):
        return Steady(False, None, level, "never")
    # `begin` counts from the second window, so that t[begin] is the end of the window before.
    return Steady(True, float(t[begin]) if begin else 0.0, level, _kind(clipped, begin, same))


def warm_imports() -> None:
    """Import what `steady_state` needs, so that its first call is as quick as the rest."""
    import ruptures  # noqa: F401


def _change_points(signals: Array) -> list[int]:
    """Ends of the segments of `signals` (noise one), the last of which is its length."""
    import ruptures

    size, dimensions = signals.shape
    if size < 2 * MIN_WINDOWS:
        return [size]
    search = ruptures.KernelCPD(kernel="linear", min_size=MIN_WINDOWS)
    penalty = PENALTY * dimensions * float(np.log(size))
    return [int(end) for end in search.fit(signals).predict(pen=penalty)]


def _log(values: Array) -> Array:
    """Logarithms; a window without answers counts as a hundredth of the usual, not as minus infinity."""
    usual = float(np.median(values)) if len(values) else 0.0
    logs: Array = np.log(np.maximum(values, max(usual / 100, 1e-9)))
    return logs


def _clipped(signals: Array, noise: Array) -> Array:
    padded = np.pad(signals, ((2, 2), (0, 0)), mode="reflect")
    running = np.median(np.lib.stride_tricks.sliding_window_view(padded, 5, axis=0), axis=-1)
    clipped: Array = np.clip(signals, running - CLIP * noise, running + CLIP * noise)
    return clipped


def _moves(part: Array, same: Array) -> bool:
    """True where a straight line through `part` climbs or falls by more than `same`, surely."""
    size = len(part)
    x = np.arange(size) - (size - 1) / 2
    slope = x @ part / (x @ x)
    rest = part - part.mean(axis=0) - np.outer(x, slope)
    error = np.sqrt((rest**2).sum(axis=0) / max(size - 2, 1) / (x @ x))
    change = np.abs(slope) * (size - 1)
    return bool(((change > same) & (np.abs(slope) > 3 * error)).any())


def _kind(signals: Array, begin: int, same: Array) -> Kind:
    if begin == 0:
        return "flat"
    rise = signals[begin:].mean(axis=0) - signals[:begin].mean(axis=0)
    if abs(rise[0]) <= same[0] and len(rise) > 1:
        return "warming" if rise[1] < 0 else "slowing"
    return "warming" if rise[0] > 0 else "slowing"
