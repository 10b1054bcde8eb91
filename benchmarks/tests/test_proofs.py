"""Of proofs under load: medians with their intervals, and who counts as blamed."""

from __future__ import annotations

import random

import pytest
from benchmarks.proofs.cost import Cost, Median
from benchmarks.proofs.cost import table as cost_table
from benchmarks.proofs.honest import Told, table

from support.synthetic_run import build_run
from webdyno.store.records import EvidenceRecord


def test_a_median_has_an_interval_by_ranks() -> None:
    # Of 15 values the 4th and the 12th: P(3 or fewer below) = 0.0176.
    assert Median.of([float(n) for n in range(15, 0, -1)]) == Median(8.0, 4.0, 12.0)
    assert Median.of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == Median(3.5, 1.0, 6.0)
    assert Median.of([1.0, 2.0, 3.0]) == Median(2.0, 0.0, float("inf"))


def test_the_interval_holds_the_true_median_as_often_as_it_says() -> None:
    draw = random.Random(1)
    held = 0
    for _ in range(2000):
        found = Median.of([draw.gauss(1.0, 0.1) for _ in range(15)])
        held += found.low <= 1.0 <= found.high
    # 96.5% by the binomial distribution, with a standard deviation of 0.4%.
    assert 0.945 <= held / 2000 <= 0.985


def test_costs_are_ratios_of_the_same_round() -> None:
    cost = Cost(("a/b", "static"), [10.1, 20.2] * 4, [10.0, 20.0] * 4, [0.0] * 8, [0.0] * 8, 80)
    assert cost.ratio().middle == pytest.approx(1.01)
    assert cost.services_ratio() is None
    assert cost_table([cost])[-1] == ("| static | a/b | 8 | 80 | +1.00% [+1.00%, +1.00%] | – |")


@pytest.mark.parametrize(
    ("status", "ok", "lie", "counts"),
    [("ok", True, "", (0, 0)), ("failed", False, "", (1, 0)), ("failed", True, "x", (1, 0)),
     ("error", True, "", (0, 1))],
)  # fmt: skip
def test_who_is_blamed_is_told_from_who_broke_down(
    status: str, ok: bool, lie: str, counts: tuple[int, int]
) -> None:
    [trial, *_] = build_run(blocks=1, seconds=1).trials
    trial.status, trial.lie = status, lie  # type: ignore[assignment]
    trial.evidence = [EvidenceRecord(claim="it is right", ok=ok, detail="", phase="during")]
    told = Told(("a/b", "page"))
    told.learn(trial)
    assert (len(told.blamed), len(told.broken)) == counts
    assert table([told])[-1] == f"| page | a/b | 1 | {int(ok)} | {counts[0]} | {counts[1]} |"
