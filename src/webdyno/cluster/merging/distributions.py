"""Distributions of several parts as one: counts are added, and quantiles read from the sum."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from hdrh.histogram import HdrHistogram

from webdyno.store.histograms import Distribution, pooled
from webdyno.store.measurement import Latency, LatencyWithLost, SecondOfLoad


def added(encoded: Sequence[str]) -> str:
    """The sum of encoded histograms of equal bounds, encoded as they are.

    Raises one of `store.histograms.UNREADABLE` for what is no histogram.
    """
    total = HdrHistogram.decode(encoded[0])
    for other in encoded[1:]:
        total.add(HdrHistogram.decode(other))
    return str(total.encode().decode("ascii"))


def quantiles(encoded: Sequence[str], of_parts: Sequence[Latency]) -> Latency:
    """The quantiles in µs over all parts, of whose `encoded` histograms `of_parts` were read; all 0
    where every one is empty.

    Largest and smallest are those of the parts; the mean is theirs weighed by their counts. Raises
    `ValueError` where there are more of the one than of the other.
    """
    totals = [_total(one) for one in encoded]
    both = list(zip(of_parts, totals, strict=True))
    distribution = pooled(encoded)
    if distribution is None:
        return Latency(p50=0.0, p90=0.0, p99=0.0, p999=0.0, max=0.0, mean=0.0)
    seen = [part for part, total in both if total]
    largest = max(part.max for part in seen)

    def at(quantile: float) -> float:
        return min(distribution.quantile(quantile), largest)

    return Latency(
        p50=at(0.5),
        p90=at(0.9),
        p99=at(0.99),
        p999=at(0.999),
        max=largest,
        mean=sum(part.mean * total for part, total in both if total) / sum(totals),
        min=min(part.min for part in seen),
    )


def with_lost(encoded: Sequence[str], lost: int) -> LatencyWithLost:
    """Quantiles in µs with `lost` requests beyond every answer: None where one falls among them."""
    distribution = pooled(encoded)
    answered = distribution.total if distribution else 0

    def at(quantile: float) -> float | None:
        rank = max(1, math.ceil(quantile * (answered + lost)))
        return at_rank(distribution, rank) if distribution and rank <= answered else None

    return LatencyWithLost(p50=at(0.5), p90=at(0.9), p99=at(0.99), p999=at(0.999), lost=lost)


def at_rank(distribution: Distribution, rank: int) -> float:
    """The `rank`th smallest value, counted from 1, in µs."""
    cumulative = np.cumsum(distribution.counts)
    return float(distribution.values_us[int(np.searchsorted(cumulative, rank))])


def of_second(second: int, parts: Sequence[tuple[SecondOfLoad, str]]) -> SecondOfLoad:
    """A second of all parts together, of which each tells its row and its encoded histogram."""
    rows = [row for row, _ in parts]
    distribution = pooled([encoded for _, encoded in parts])
    # Histograms round up, beyond what was the longest of all.
    longest = max(row.max_us or 0.0 for row in rows)

    def at(quantile: float) -> float:
        return min(distribution.quantile(quantile), longest) if distribution else 0.0

    return SecondOfLoad(
        second=second,
        offered=sum(row.offered for row in rows),
        sent=sum(row.sent for row in rows),
        ok=sum(row.ok for row in rows),
        errors=sum(row.errors for row in rows),
        p50_us=at(0.5),
        p90_us=at(0.9),
        p95_us=at(0.95),
        p99_us=at(0.99),
        max_us=longest,
        bytes=sum(row.bytes for row in rows),
    )


def _total(encoded: str) -> int:
    return int(HdrHistogram.decode(encoded).get_total_count())
