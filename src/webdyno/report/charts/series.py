"""Curves over time, pooled over an entry's trials so that a report of 300 trials stays small.

Each curve is the median over the trials at the same moment, in at most `POINTS` points.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from webdyno.store.records import Measurement, TrialRecord

POINTS = 120
SPARK_POINTS = 40
Curve = list[tuple[float, float]]
Values = npt.NDArray[np.float64]


def _median(values: Values) -> float:
    # Of a value a trial, few as a rule: numpy takes fifty times as long for these.
    return float(statistics.median(values.tolist()))


def _mean(values: Values) -> float:
    return float(np.mean(values))


def throughput(trials: Iterable[TrialRecord]) -> Curve:
    """Accepted answers per second over time."""
    return _pool(_per_second(m, lambda row: row.ok) for m in _measured(trials))


def offered(trials: Iterable[TrialRecord]) -> Curve:
    """Requests that the schedule asked for, per second."""
    return _pool(_per_second(m, lambda row: row.offered) for m in _measured(trials))


def errors(trials: Iterable[TrialRecord]) -> Curve:
    """Errors per second; empty where no trial had any."""
    curves = [_per_second(m, lambda row: row.errors) for m in _measured(trials)]
    if not any(value for curve in curves for _, value in curve):
        return []
    # The mean, because the median over trials would hide what only one of them suffered.
    return _pool(curves, _mean)


def latency(quantile: str) -> Callable[[Iterable[TrialRecord]], Curve]:
    """The curve of a latency quantile (`p50`, `p90`, `p95`, `p99`) of each second, in ms."""
    field = f"{quantile}_us"

    def curve(trials: Iterable[TrialRecord]) -> Curve:
        # A second without a right answer has no latency; the engine writes it as zero.
        return _pool(
            [(row.second + 0.5, us / 1000) for row in m.series if (us := getattr(row, field))]
            for m in _measured(trials)
        )

    return curve


def cpu(trials: Iterable[TrialRecord]) -> Curve:
    """The server's share of the cores it was given, in percent."""
    return _pool([(o.t_s, o.cpu_share * 100) for o in m.observations] for m in _measured(trials))


def memory(trials: Iterable[TrialRecord]) -> Curve:
    """Memory of the server's process tree, in MB."""
    return _pool([(o.t_s, o.memory_bytes / 1e6) for o in m.observations] for m in _measured(trials))


def warm_up(trials: Iterable[TrialRecord]) -> Curve:
    """Throughput from the first request on, in percent of what each trial reached at its end."""
    return _pool(_of_its_end(trial.warmup.ticks) for trial in trials if trial.warmup is not None)


def _of_its_end(ticks: Sequence[tuple[float, float]]) -> Curve:
    """`ticks` in percent of the median of their last fifth; empty where nothing was answered."""
    last = [rate for _, rate in ticks[-max(3, len(ticks) // 5) :]]
    end = statistics.median(last) if last else 0.0
    return [(at, 100 * rate / end) for at, rate in ticks] if end else []


def steady_after(trials: Iterable[TrialRecord]) -> float | None:
    """Median time until the server was steady; None if most trials never were."""
    times = [t.warmup.steady_after_s for t in trials if t.warmup is not None]
    known = [t for t in times if t is not None]
    return statistics.median(known) if known and len(known) * 2 > len(times) else None


def spark(measurement: Measurement) -> list[float]:
    """One trial's throughput over time, thinned out to `SPARK_POINTS`, for a sparkline."""
    curve = _per_second(measurement, lambda row: row.ok)
    return [value for _, value in _thin(curve, SPARK_POINTS)]


def _measured(trials: Iterable[TrialRecord]) -> list[Measurement]:
    return [t.measurement for t in trials if t.measurement is not None]


def _per_second(measurement: Measurement, value: Callable[..., int]) -> Curve:
    """`value` of each second as a rate. The last one may be a short one; a sliver of a second
    says nothing and is left out."""
    curve = []
    for row in measurement.series:
        width = min(1.0, measurement.elapsed_s - row.second) if measurement.elapsed_s else 1.0
        if width >= 0.25 or len(measurement.series) == 1:
            width = max(width, 1e-3)
            curve.append((row.second + width / 2, value(row) / width))
    return curve


def _pool(curves: Iterable[Curve], centre: Callable[[Values], float] = _median) -> Curve:
    """The centre over `curves` in equal slices of time, each at the mean time of its points."""
    arrays = [np.array(curve) for curve in curves if curve]
    if not arrays:
        return []
    first = min(curve[0, 0] for curve in arrays)
    span = max(curve[-1, 0] for curve in arrays) - first
    size = min(POINTS, max(len(curve) for curve in arrays))
    times = np.zeros(size)
    counts = np.zeros(size)
    # A row a trial, a column a slice: a trial counts once in each, however many samples it has.
    means = np.full((len(arrays), size), np.nan)
    for row, curve in zip(means, arrays, strict=True):
        scaled = (curve[:, 0] - first) / span * (size - 1) if span else np.zeros(len(curve))
        places = np.rint(scaled).astype(int)
        own = np.bincount(places, minlength=size)
        times += np.bincount(places, curve[:, 0], minlength=size)
        counts += own
        sums = np.bincount(places, curve[:, 1], minlength=size)
        row[own > 0] = sums[own > 0] / own[own > 0]
    return [
        (float(times[at] / counts[at]), centre(known[~np.isnan(known)]))
        for at, known in ((at, means[:, at]) for at in np.flatnonzero(counts))
    ]


def _thin(curve: Curve, points: int) -> Curve:
    if len(curve) <= points:
        return curve
    step = len(curve) / points
    return [
        (
            curve[int(i * step)][0],
            statistics.fmean(v for _, v in curve[int(i * step) : int((i + 1) * step)]),
        )
        for i in range(points)
    ]
