"""Figures of several trials, and of an entry beside another."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

from webdyno.report import metrics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webdyno.store.records import TrialRecord
    from webdyno.store.verdicts import RatioRecord, VerdictRecord


def find_ratio(verdict: VerdictRecord, of: str, to: str) -> RatioRecord | None:
    """The ratio `of` : `to`, whichever way round the verdict holds it; None if it has none, or
    one of which nothing is known."""
    for ratio in verdict.ratios:
        if not (ratio.is_bounded or verdict.too_few or ratio.outcome != "too few blocks"):
            continue
        if (ratio.of, ratio.to) == (of, to):
            return ratio
        if (ratio.of, ratio.to) == (to, of):
            return ratio.model_copy(
                update={
                    "of": of,
                    "to": to,
                    "estimate": 1 / ratio.estimate,
                    "low": 1 / ratio.high,
                    "high": 1 / ratio.low if ratio.low > 0 else math.inf,
                }
            )
    return None


def medians(trials: Iterable[TrialRecord]) -> dict[str, float | None]:
    """Median over `trials` of each figure a table shows; None where no trial has it."""
    columns: dict[str, list[float]] = {}
    for trial in trials:
        if trial.measurement is None:
            continue
        for name, value in metrics.values(trial).items():
            columns.setdefault(name, [])
            if value is not None:
                columns[name].append(value)
    return {name: statistics.median(v) if v else None for name, v in columns.items()}


def rate_of(trial: TrialRecord) -> float | None:
    """The trial's own rate: the capacity where it searched for one, else the throughput."""
    if trial.search is not None:
        return trial.search.capacity_rps
    return trial.measurement.throughput_rps if trial.measurement is not None else None
