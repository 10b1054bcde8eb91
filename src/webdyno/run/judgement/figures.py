"""The figures of trials that a verdict is about."""

from __future__ import annotations

import math
from collections.abc import Sequence

from webdyno.catalog.terms.metric import METRICS
from webdyno.store.record import MOST
from webdyno.store.records import TrialRecord
from webdyno.verdict.capacity import is_least, telling


def value_of(trial: TrialRecord, metric: str) -> float:
    """The trial's `metric`; NaN where it has none, or one that nothing can have, as in a store that
    was damaged. Raises `UserError` where there is no such."""
    value = METRICS[metric].value(trial)
    return value if not value or 1 / MOST <= abs(value) <= MOST else math.nan


def figures_of(trials: Sequence[TrialRecord], metric: str) -> list[float]:
    """The `metric` of each of `trials`, all of one entry; NaN of those that settle nothing."""
    figures = [value_of(trial, metric) if trial.is_evidence else math.nan for trial in trials]
    if not METRICS[metric].searched:
        return figures
    searches = telling([trial.search for trial in trials if trial.is_evidence and trial.search])
    counts = [any(trial.search is one for one in searches) for trial in trials]
    return [one if said else math.nan for one, said in zip(figures, counts, strict=True)]


def least_of(trials: Sequence[TrialRecord], metric: str) -> str:
    """`at least 1,000/s: max_rate is 1,000/s` where `trials`, of one entry, show the least of its
    `metric` and no more; empty where they show the figure itself."""
    searches = [trial.search for trial in trials if trial.is_evidence and trial.search]
    if not METRICS[metric].searched or not is_least(searches):
        return ""
    bound = min((s for s in searches if s.kind == "at-least"), key=lambda s: s.capacity_rps)
    return f"at least {bound.capacity_rps:,.0f}/s: {bound.reason}"
