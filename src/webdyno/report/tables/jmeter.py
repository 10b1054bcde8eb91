"""Trials as JMeter's Aggregate Report: its columns, its definitions, its rounding.

JMeter counts whole milliseconds, cut off and not rounded, takes the smallest value that at least a
rounded share of the samples does not exceed as a percentile, and divides all samples, failed ones
too, by the time from the first start to the last end. Two things differ, and follow from what a
trial keeps: times are those of accepted answers only (JMeter adds in failed ones), from the sending
of the request; and they come from a histogram with three significant digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webdyno.report.numbers import MISSING
from webdyno.store.histograms import Distribution, pooled
from webdyno.verdict.integrity import FAILED_KINDS

if TYPE_CHECKING:
    from webdyno.store.records import Measurement, TrialRecord

HEADINGS = (
    "Label",
    "# Samples",
    "Average",
    "Median",
    "90% Line",
    "95% Line",
    "99% Line",
    "Min",
    "Max",
    "Error %",
    "Throughput",
    "KB/sec",
)
_LINES = (0.50, 0.90, 0.95, 0.99)


@dataclass(frozen=True)
class AggregateRow:
    """One label's row. Times are in milliseconds; None where no answer was accepted."""

    label: str
    samples: int
    average: int | None
    lines: tuple[int | None, ...]
    """Median, 90%, 95% and 99% line."""
    least: int | None
    most: int | None
    error_share: float
    per_second: float
    kb_per_second: float

    def cells(self) -> tuple[str, ...]:
        """As JMeter shows them."""
        times = (self.average, *self.lines, self.least, self.most)
        return (
            self.label,
            str(self.samples),
            *(MISSING if time is None else str(time) for time in times),
            f"{self.error_share * 100:.2f}%",
            _rate(self.per_second),
            f"{self.kb_per_second:.2f}",
        )


def aggregate(label: str, measurements: Sequence[Measurement]) -> AggregateRow:
    """The row of one trial, or of several of the same kind, whose samples are put together."""
    failed = sum(m.counts.of(FAILED_KINDS) for m in measurements)
    samples = failed + sum(m.counts.ok for m in measurements)
    seconds = sum(m.elapsed_s for m in measurements)
    times = _milliseconds(measurements)
    return AggregateRow(
        label=label,
        samples=samples,
        average=None if times is None else int(_mean_ms(measurements)),
        lines=tuple(None if times is None else percent_point(times, line) for line in _LINES),
        least=None if times is None else int(min(_extremes(measurements, "min")) / 1000),
        most=None if times is None else int(max(_extremes(measurements, "max")) / 1000),
        error_share=failed / samples if samples else 0.0,
        per_second=samples / seconds if seconds else 0.0,
        kb_per_second=sum(m.bytes_received for m in measurements) / 1024 / seconds
        if seconds
        else 0.0,
    )


def table(trials: Iterable[TrialRecord]) -> list[AggregateRow]:
    """A row for each server and variant under each scenario and load, in order of appearance.

    Trials without a measurement are left out; the second entry of an A/A pair joins the first.
    """
    found: dict[tuple[str, ...], list[Measurement]] = {}
    for trial in trials:
        if trial.measurement is not None:
            variant = "" if trial.variant == "default" else f"@{trial.variant}"
            key = (f"{trial.server}{variant}", trial.scenario, trial.load)
            found.setdefault(key, []).append(trial.measurement)
    shared = {key[1:] for key in found}
    return [
        aggregate(key[0] if len(shared) == 1 else " ".join(key), measurements)
        for key, measurements in found.items()
    ]


def markdown(rows: Iterable[AggregateRow]) -> str:
    """The table as Markdown, numbers to the right."""
    lines = [
        f"| {' | '.join(HEADINGS)} |",
        f"|---|{'--:|' * (len(HEADINGS) - 1)}",
        *(f"| {' | '.join(row.cells())} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def percent_point(times: Distribution, share: float) -> int:
    """The smallest whole millisecond that round(share x samples) of the samples do not exceed."""
    # Half up, as Java rounds; Python would round half to even.
    target = int(np.floor(share * times.total + 0.5))
    cumulative = np.cumsum(times.counts)
    index = int(np.searchsorted(cumulative, target))
    return int(times.values_us[min(index, len(cumulative) - 1)] / 1000)


def _milliseconds(measurements: Sequence[Measurement]) -> Distribution | None:
    """Times from the sending of the request; values stay µs, since only they order the samples."""
    return pooled(m.histograms.get("from_send", "") for m in measurements)


def _mean_ms(measurements: Sequence[Measurement]) -> float:
    weighted = [
        (m.latency_from_send_us.mean, m.counts.ok)
        for m in measurements
        if m.latency_from_send_us is not None
    ]
    answers = sum(count for _mean, count in weighted)
    return sum(mean * count for mean, count in weighted) / max(answers, 1) / 1000


def _extremes(measurements: Sequence[Measurement], name: str) -> list[float]:
    found = [m.latency_from_send_us for m in measurements if m.latency_from_send_us is not None]
    return [float(getattr(latency, name)) for latency in found] or [0.0]


def _rate(per_second: float) -> str:
    """Per second; per minute or hour where that is below one, as JMeter does."""
    for rate, unit in ((per_second, "sec"), (per_second * 60, "min")):
        if rate >= 1.0:
            return f"{rate:.1f}/{unit}"
    return f"{per_second * 3600:.1f}/hour"
