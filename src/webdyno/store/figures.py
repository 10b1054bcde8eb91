"""Figures of a trial's record, for the metrics made of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webdyno.store.records import Measurement, TrialRecord


def measured(figure: Callable[[Measurement], float]) -> Callable[[TrialRecord], float]:
    """`figure` of what a trial measured; NaN where it measured nothing."""

    def value(trial: TrialRecord) -> float:
        return math.nan if trial.measurement is None else figure(trial.measurement)

    return value


def latency(quantile: str) -> Callable[[TrialRecord], float]:
    """A quantile of a trial's latency, such as `p99`, in microseconds."""

    def figure(measurement: Measurement) -> float:
        found = measurement.latency_us
        return math.nan if found is None else float(getattr(found, quantile))

    return measured(figure)
