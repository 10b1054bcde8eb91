"""The table of two running services: B is judged by A, and A by itself."""

import numpy as np
import pytest

from webdyno.ab.claims import Pace, claim_of
from webdyno.ab.table import verdict_of
from webdyno.verdict.looks import Looks


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
    verdict = verdict_of(rows, "full", metric, 0.03, 0.98, looks)
    claim = claim_of(("a", "b"), "full", metric, verdict, Pace(10, 20.0))
    assert claim.outcome == outcome
    assert claim.change == pytest.approx(change, abs=0.01)
    assert claim.blocks == 10
