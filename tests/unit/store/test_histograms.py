"""Percentiles from encoded histograms, against the library's own."""

from __future__ import annotations

import random

import pytest
from hdrh.histogram import HdrHistogram

from webdyno.store import histograms


def encoded(values_ns: list[int], highest: int = 3_600_000_000_000) -> str:
    """A histogram of `values_ns`, as the engine stores it."""
    histogram = HdrHistogram(1, highest, 3)
    for value in values_ns:
        histogram.record_value(value)
    return bytes(histogram.encode()).decode()


@pytest.fixture(scope="module")
def values() -> list[int]:
    """Latencies from 1 ns to minutes, so that every bucket layout is met."""
    source = random.Random(3)
    return [int(10 ** source.uniform(0, 11)) for _ in range(5000)] + [0, 1, 2047, 2048, 2049]


def test_quantiles_are_the_library_s_own(values: list[int]) -> None:
    text = encoded(values)
    theirs = HdrHistogram.decode(text)
    ours = histograms.decode(text)
    assert ours.total == len(values)
    for q in (0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0):
        assert ours.quantile(q) == theirs.get_value_at_percentile(q * 100) / 1000


def test_the_engine_s_own_histogram_reads_as_the_engine_reads_it() -> None:
    # Recorded from the engine, with the quantiles it stated itself.
    found = histograms.decode(
        "HISTFAAAAFx4nC2IwQ1AUBBEd2fHIsHFkSLcHB0kmtCODsTdSQ0acNaKRAN+8k0yeS+vXdZaRHqJs58adOrOXYYn"
        "hvtQNCgx4p0B46ZIidwrt4IUFOEJDeSlQBYIofsHHLcJuw=="
    )
    assert found.total == 72
    stated = {0.5: 44138.495, 0.9: 48103.423, 0.99: 48168.959, 0.999: 48168.959, 1.0: 48168.959}
    assert {q: found.quantile(q) for q in stated} == stated


def test_pooling_counts_and_does_not_average_percentiles(values: list[int]) -> None:
    low, high = [1_000_000] * 99, [9_000_000] * 1
    pooled = histograms.pooled([encoded(low), encoded(high * 99)])
    assert pooled is not None
    assert pooled.total == 198
    # Half are 1 ms, half 9 ms: the average of the two p99s would be 5 ms.
    assert pooled.quantile(0.5) == pytest.approx(1000, rel=1e-3)
    assert pooled.quantile(0.99) == pytest.approx(9000, rel=1e-3)


def test_histograms_of_different_ranges_pool() -> None:
    pooled = histograms.pooled([encoded([5_000]), encoded([5_000], highest=60_000_000_000)])
    assert pooled is not None
    assert (pooled.total, len(pooled.values_us)) == (2, 1)


@pytest.mark.parametrize("broken", ["", "no base64!", "AAAA", "HISTFAAA"])
def test_what_cannot_be_read_is_passed_over(broken: str) -> None:
    assert histograms.pooled([broken]) is None
    good = histograms.pooled([broken, encoded([1_000, 2_000])])
    assert good is not None
    assert good.total == 2


def test_the_curve_runs_from_the_median_to_the_largest(values: list[int]) -> None:
    found = histograms.decode(encoded(values))
    curve = histograms.percentile_curve(found)
    assert curve[0] == (pytest.approx(2.0), found.quantile(0.5))
    assert curve[-1][0] == pytest.approx(len(values))
    assert curve[-1][1] >= found.quantile(1 - 1 / len(values))
    ys = [y for _, y in curve]
    assert ys == sorted(ys)
    assert len(curve) < 100


def test_too_few_answers_make_no_curve() -> None:
    assert histograms.percentile_curve(histograms.decode(encoded([1_000, 2_000]))) == []
