"""The figure of a trial that a verdict is about."""

from __future__ import annotations

from webdyno.catalog.metric import METRICS
from webdyno.store.records import TrialRecord


def value_of(trial: TrialRecord, metric: str) -> float:
    """The trial's `metric`; NaN where it has none. Raises `UserError` where there is no such."""
    return METRICS[metric].value(trial)
