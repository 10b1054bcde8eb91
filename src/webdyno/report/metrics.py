"""What a verdict can be about, in words: titles, units, and how "better" is said."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from webdyno.catalog.metric import METRICS, Metric

if TYPE_CHECKING:
    from webdyno.store.records import Measurement


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

RATES = ("throughput_rps", "capacity_rps")
"""Metrics that are a rate of requests, shown as bars; a table shows one of them."""


def metric(name: str) -> Metric:
    """The metric called `name`; one that is not known here is described by its name."""
    if name in METRICS:
        return METRICS[name]
    if name == TIMED_OUT.name:
        return TIMED_OUT
    words = (f"is better on {name} than", f"is best on {name}", f"best on {name}")
    return Metric(name, name, "count", *words, value=lambda _trial: math.nan)


def values(measurement: Measurement) -> dict[str, float | None]:
    """The figures of one trial that the ranked tables show, by name."""
    latency = measurement.latency_us
    return {
        "throughput_rps": measurement.throughput_rps,
        "p50_us": latency.p50 if latency else None,
        "p90_us": latency.p90 if latency else None,
        "p99_us": latency.p99 if latency else None,
        "p999_us": latency.p999 if latency else None,
        "max_us": latency.max if latency else None,
        "cpu_us_per_request": measurement.cpu_us_per_request.get("server"),
        "generator_us_per_request": measurement.cpu_us_per_request.get("generator"),
        "memory_peak_bytes": measurement.memory_bytes.peak,
        "memory_idle_bytes": measurement.memory_bytes.idle,
        "memory_start_bytes": measurement.memory_bytes.start,
        "threads_peak": float(measurement.threads_peak),
    }
