"""What a verdict can be about, in words: titles, units, and how "better" is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webdyno.store.records import Measurement


@dataclass(frozen=True)
class Metric:
    """A metric of a verdict. `kind` names its scale (see `numbers.scale_for`).

    `beats` stands between two servers in a sentence ("a is faster than b"), `best` after the
    best one ("a is fastest").
    """

    name: str
    title: str
    kind: str
    beats: str
    best: str


_KNOWN = (
    Metric("throughput_rps", "Throughput", "rate", "is faster than", "is fastest"),
    Metric(
        "p50_us",
        "Median latency",
        "latency",
        "has a lower median latency than",
        "has the lowest median latency",
    ),
    Metric(
        "p99_us",
        "p99 latency",
        "latency",
        "has a lower p99 latency than",
        "has the lowest p99 latency",
    ),
    Metric(
        "capacity_rps",
        "Capacity at the objective",
        "rate",
        "carries more than",
        "carries the most",
    ),
    Metric(
        "cpu_us_per_request",
        "CPU per request",
        "latency",
        "needs less CPU per request than",
        "needs the least CPU per request",
    ),
    Metric(
        "memory_peak_bytes",
        "Peak memory",
        "bytes",
        "needs less memory than",
        "needs the least memory",
    ),
    Metric(
        "threads_peak",
        "Peak threads",
        "count",
        "needs fewer threads than",
        "needs the fewest threads",
    ),
    Metric(
        "timed_out_share",
        "Requests that timed out",
        "share",
        "times out less than",
        "times out least",
    ),
)

RATES = ("throughput_rps", "capacity_rps")
"""Metrics that are a rate of requests, shown as bars; a table shows one of them."""


def metric(name: str) -> Metric:
    """The metric called `name`; one that is not known here is described by its name."""
    for known in _KNOWN:
        if known.name == name:
            return known
    return Metric(name, name, "count", f"is better on {name} than", f"is best on {name}")


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
