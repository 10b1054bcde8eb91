"""JMeter's Aggregate Report out of a trial's counts and histogram."""

from __future__ import annotations

import functools

import numpy as np
from hdrh.histogram import HdrHistogram

from support.synthetic_run import build_run
from webdyno.report.tables import jmeter as jmeter_table
from webdyno.store.counts import RequestCounts
from webdyno.store.histograms import Distribution
from webdyno.store.records import Latency, Measurement, RunRecord


@functools.cache
def run() -> RunRecord:
    """Not for every process that only collects the tests."""
    return build_run(blocks=2, seconds=1)


def measured(values_us: list[int], failed: int = 0, elapsed_s: float = 2.0) -> Measurement:
    """A measurement of these times, with so many time-outs beside them."""
    histogram = HdrHistogram(1, 3_600_000_000_000, 3)
    for value in values_us:
        histogram.record_value(value * 1000)
    some = np.array(values_us or [0])
    latency = Latency(p50=0, p90=0, p99=0, p999=0, max=some.max(), mean=some.mean(), min=some.min())
    (any_one, *_) = (one.measurement for one in run().trials if one.measurement is not None)
    return any_one.model_copy(
        update={
            "elapsed_s": elapsed_s,
            "counts": RequestCounts(ok=len(values_us), timed_out=failed, unfinished=9, not_sent=5),
            "latency_from_send_us": latency,
            "histograms": {"from_send": bytes(histogram.encode()).decode()},
            "bytes_received": 2048,
        }
    )


def test_a_row_is_what_jmeter_makes_of_the_same_samples() -> None:
    # 1.9, 2.9, … 10.9 ms and two that failed: JMeter sees 1, 2, … 10 ms.
    row = jmeter_table.aggregate("node", [measured([n * 1000 + 900 for n in range(1, 11)], 2)])
    assert row.cells() == (
        "node", "12", "6", "5", "9", "10", "10", "1", "10", "16.67%", "6.0/sec", "1.00",
    )  # fmt: skip


def test_percentiles_take_the_sample_that_the_rounded_share_reaches() -> None:
    times = Distribution(np.array([1000.0, 2000.0, 3000.0]), np.array([1, 1, 1]))
    # 0.5 x 3 = 1.5, which Java rounds to 2; 0.1 x 3 rounds to 0, where the first one is taken.
    assert jmeter_table.percent_point(times, 0.5) == 2
    assert jmeter_table.percent_point(times, 0.1) == 1
    assert jmeter_table.percent_point(times, 1.0) == 3


def test_trials_are_put_together_by_their_samples_not_by_their_percentiles() -> None:
    fast, slow = measured([1_000] * 90), measured([100_000] * 10, elapsed_s=8.0)
    row = jmeter_table.aggregate("both", [fast, slow])
    assert (row.samples, row.average, row.lines) == (100, 10, (1, 1, 100, 100))
    assert row.per_second == 10.0


def test_a_slow_rate_is_told_by_the_minute_or_the_hour() -> None:
    rates = [
        jmeter_table.aggregate("x", [measured([1000] * 3, elapsed_s=seconds)]).cells()[10]
        for seconds in (1.0, 6.0, 1000.0)
    ]
    assert rates == ["3.0/sec", "30.0/min", "10.8/hour"]


def test_no_accepted_answer_has_no_times() -> None:
    cells = jmeter_table.aggregate("dead", [measured([], failed=4)]).cells()
    assert cells[1:3] == ("4", "–")
    assert cells[9:11] == ("100.00%", "2.0/sec")


def test_a_run_has_a_row_for_each_server_under_each_load() -> None:
    rows = jmeter_table.table(run().trials)
    labels = [row.label for row in rows]
    assert len(set(labels)) == len(labels) > 1
    assert sum(row.samples for row in rows) == sum(
        jmeter_table.aggregate("", [t.measurement]).samples for t in run().trials if t.measurement
    )
    text = jmeter_table.markdown(rows)
    assert text.count("\n") == len(rows) + 2
    assert text.startswith("| Label | # Samples | Average | Median | 90% Line |")
