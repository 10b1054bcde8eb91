"""The metrics that reports show, by name: those that servers are ranked by, and what stands beside
them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from webdyno.catalog.terms.metric import METRICS, Metric
from webdyno.store.figures import latency, measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from webdyno.store.records import TrialRecord


TIMED_OUT = Metric(
    "timed_out_share",
    "Requests that timed out",
    "share",
    "times out less than",
    "times out least",
    "with the fewest time-outs",
    value=lambda _trial: math.nan,
)
"""What write-ups tell and no server is ranked by."""


def _known(figure: float | None) -> float:
    return math.nan if figure is None else figure


_NOT_RANKED: dict[str, Callable[[TrialRecord], float]] = {
    "p90_us": latency("p90"),
    "p999_us": latency("p999"),
    "max_us": latency("max"),
    "generator_us_per_request": measured(
        lambda measurement: measurement.cpu_us_per_request.get("generator", math.nan)
    ),
    "memory_idle_bytes": measured(lambda measurement: _known(measurement.memory_bytes.idle)),
    "memory_start_bytes": measured(lambda measurement: _known(measurement.memory_bytes.start)),
}
"""The figures that reports show beside the metrics; `catalog.terms.metric.SHOWN` names them."""


def metric(name: str) -> Metric:
    """The metric called `name`; one that is not known here is described by its name."""
    if name in METRICS:
        return METRICS[name]
    if name == TIMED_OUT.name:
        return TIMED_OUT
    words = (f"is better on {name} than", f"is best on {name}", f"best on {name}")
    return Metric(name, name, "count", *words, value=lambda _trial: math.nan)


def values(trial: TrialRecord) -> dict[str, float | None]:
    """The figures of one trial, by name: every metric, and what reports show beside them. None
    where it has none."""
    figures = {name: METRICS[name].value for name in METRICS} | _NOT_RANKED
    found = {name: figure(trial) for name, figure in figures.items()}
    if trial.search is not None:
        # Zero is not compared, but it is shown: the objective was met at no rate.
        found[METRICS.searched] = trial.search.capacity_rps
    return {name: None if math.isnan(value) else value for name, value in found.items()}
