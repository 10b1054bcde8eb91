"""The figure of a trial that a verdict is about."""

from __future__ import annotations

import math

from webdyno.store.records import TrialRecord


def value_of(trial: TrialRecord, metric: str) -> float:
    """The trial's `metric`; NaN where it has none."""
    if metric == "capacity_rps":
        # Zero, where the objective is met at no rate, has no logarithm: it is not compared.
        return (trial.search.capacity_rps or math.nan) if trial.search else math.nan
    measured = trial.measurement
    if measured is None:
        return math.nan
    if metric == "throughput_rps":
        return measured.throughput_rps
    if metric == "cpu_us_per_request":
        return measured.cpu_us_per_request.get("server", math.nan)
    if metric == "memory_peak_bytes":
        return measured.memory_bytes.peak
    if metric == "threads_peak":
        # A load shorter than the observer's first sample saw none.
        return float(measured.threads_peak) or math.nan
    if metric in ("p50_us", "p99_us"):
        latency = measured.latency_us
        return math.nan if latency is None else float(getattr(latency, metric.removesuffix("_us")))
    raise ValueError(f"unknown metric '{metric}'")
