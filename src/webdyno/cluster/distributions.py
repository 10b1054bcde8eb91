"""Distributions of several parts as one: counts are added, and quantiles read from the sum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]

from webdyno.store.histograms import Distribution, pooled

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
"""As the engine names them."""


def added(encoded: Sequence[str]) -> str:
    """The sum of encoded histograms of equal bounds, encoded as they are.

    Raises one of `store.histograms.UNREADABLE` for what is no histogram.
    """
    total = HdrHistogram.decode(encoded[0])
    for other in encoded[1:]:
        total.add(HdrHistogram.decode(other))
    return str(total.encode().decode("ascii"))


def quantiles(encoded: Sequence[str], of_parts: Sequence[dict[str, float]]) -> dict[str, float]:
    """The quantiles in µs over all parts, of whose `encoded` histograms `of_parts` were read; all 0
    where every one is empty.

    Largest and smallest are those of the parts; the mean is theirs weighed by their counts.
    """
    totals = [_total(one) for one in encoded]
    distribution = pooled(encoded)
    if distribution is None:
        return dict.fromkeys((*QUANTILES, "max", "mean", "min"), 0.0)
    seen = [part for part, total in zip(of_parts, totals, strict=True) if total]
    largest = max(part["max"] for part in seen)
    found = {name: min(distribution.quantile(q), largest) for name, q in QUANTILES.items()}
    weighed = sum(
        part["mean"] * total for part, total in zip(of_parts, totals, strict=True) if total
    )
    smallest = min(part["min"] for part in seen)
    return {**found, "max": largest, "mean": weighed / sum(totals), "min": smallest}


def with_lost(encoded: Sequence[str], lost: int) -> dict[str, Any]:
    """Quantiles in µs with `lost` requests beyond every answer: None where one falls among them."""
    distribution = pooled(encoded)
    answered = distribution.total if distribution else 0
    found: dict[str, Any] = {}
    for name, q in QUANTILES.items():
        rank = max(1, math.ceil(q * (answered + lost)))
        found[name] = at_rank(distribution, rank) if distribution and rank <= answered else None
    return {**found, "lost": lost}


def at_rank(distribution: Distribution, rank: int) -> float:
    """The `rank`th smallest value, counted from 1, in µs."""
    cumulative = np.cumsum(distribution.counts)
    return float(distribution.values_us[int(np.searchsorted(cumulative, rank))])


def of_second(encoded: Sequence[str]) -> dict[str, float]:
    """A second's row of quantiles, all parts together."""
    distribution = pooled(encoded)
    names = {"p50_us": 0.5, "p90_us": 0.9, "p95_us": 0.95, "p99_us": 0.99, "max_us": 1.0}
    return {name: distribution.quantile(q) if distribution else 0.0 for name, q in names.items()}


def _total(encoded: str) -> int:
    return int(HdrHistogram.decode(encoded).get_total_count())
