"""The highest rate of arrivals at which the objective is met."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from webdyno.catalog.terms.metric import Metric

if TYPE_CHECKING:
    from webdyno.store.records import TrialRecord


def _value(trial: TrialRecord) -> float:
    # Zero, where the objective is met at no rate, has no logarithm: it is not compared.
    return (trial.search.capacity_rps or math.nan) if trial.search else math.nan


METRIC = Metric(
    name="capacity_rps",
    title="Capacity at the objective",
    kind="rate",
    beats="handles more than",
    best="handles the most",
    asked="at the highest rate within its objective",
    value=_value,
    higher_is_better=True,
    searched=True,
)
