"""The table of two running services: B is judged by A, and A by itself."""

import math

import numpy as np
import pytest

from webdyno.ab.conclusion.claims import Pace, claim_of
from webdyno.ab.running.table import ENTRIES, GENERATOR_SHARE, BlockFigures, verdict_of
from webdyno.ab.study.confidence import FigureKey
from webdyno.verdict.sequential.looks import Looks


@pytest.mark.parametrize(
    ("metric", "slower", "outcome", "change"),
    [
        ("cpu_us_per_request", 1.10, "worse", 0.10),
        ("cpu_us_per_request", 0.90, "better", -0.10),
        ("throughput_rps", 0.90, "worse", -0.10),
        ("throughput_rps", 1.0, "same", 0.0),
        ("p99_us", 1.05, "same", 0.05),
    ],
)
def test_b_is_judged_by_a(metric: str, slower: float, outcome: str, change: float) -> None:
    random = np.random.default_rng(3)
    rows = (1000 * np.array([1, slower, 1]) * random.normal(1, 0.004, (10, 3))).tolist()
    looks = Looks(planned=10)
    key = FigureKey("full", metric)
    verdict = verdict_of(rows, key, 0.03, 0.98, looks)
    claim = claim_of(("a", "b"), key, verdict, Pace(10, 20.0))
    assert claim.outcome == outcome
    assert claim.change == pytest.approx(change, abs=0.01)
    assert claim.blocks == 10


def test_latencies_stand_beside_what_is_claimed() -> None:
    figures = BlockFigures()
    for block in (1.0, 3.0, 2.0):
        for load in ("full", "steady"):
            p50, p99 = FigureKey(load, "p50_us"), FigureKey(load, "p99_us")
            seen = {entry: {p50: 10 * block, p99: 90.0} for entry in ENTRIES}
            seen["b"][p50] = math.nan
            figures.add(seen)
    full, steady = figures.secondary_figures("full"), figures.secondary_figures("steady")
    assert [(one.name, one.a, one.b) for one in full] == [
        ("p50 latency", 20.0, None),
        ("p99 latency", 90.0, 90.0),
    ]
    # The steady load's p99 is claimed.
    assert [one.name for one in steady] == ["p50 latency"]


def test_a_throughput_that_is_the_generators_is_not_compared() -> None:
    figures = BlockFigures()
    key, share = FigureKey("full", "throughput_rps"), FigureKey("full", GENERATOR_SHARE)
    for block in range(6):
        row = {key: 1000.0 + block % 2, share: 0.97}
        figures.add({entry: dict(row) for entry in ENTRIES})
    looks, pace = Looks(planned=6), Pace(6, 20.0)
    verdict = verdict_of(figures.rows[key], key, 0.03, 0.98, looks)
    assert claim_of(("a", "b"), key, verdict, pace).outcome == "same"
    verdict.not_ranked = figures.limited("full")
    claim = claim_of(("a", "b"), key, verdict, pace)
    assert claim.outcome == "unmeasured"
    assert claim.reason.startswith("A: generator-bound in 6 of 6 blocks")
    # In less than half of the blocks it shows nothing.
    shares = figures.rows[share]
    shares[:] = [[0.97 if block < 2 else 0.5] * 3 for block in range(6)]
    assert figures.limited("full") == []


def test_figures_are_kept_by_request() -> None:
    figures = BlockFigures()
    key = FigureKey("alone", "p50_us", "GET /")
    figures.add({"a": {key: 5.0}, "b": {}, "a again": {}})
    ((kept, rows),) = figures.rows.items()
    assert kept == key
    assert rows[0][0] == 5.0
    assert math.isnan(rows[0][1])


def test_a_block_without_an_answer_to_a_request_leaves_its_median_known() -> None:
    rows = [[100.0 + block % 2, 100.0, 100.0] for block in range(6)]
    rows[1][0] = math.nan
    key = FigureKey("alone", "p50_us", "GET /")
    verdict = verdict_of(rows, key, 0.03, 0.98, Looks(planned=6))
    assert verdict.medians == {"a": 100.0, "b": 100.0, "a again": 100.0}
