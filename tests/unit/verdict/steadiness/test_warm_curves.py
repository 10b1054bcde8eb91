"""How often the judgement of a warm-up is wrong, on recorded curves of real runtimes.

`curves/*.csv` were recorded with `python -m benchmarks.warm_up_curves record`; `warm_from_s` in the
header of each is its label: from when on it was warm, by what it did later ("never": it was not).
The figures are those of docs/verdict.md.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.warm_up_curves.curve import Curve, read_curve
from benchmarks.warm_up_curves.errors import (
    NEXT_S,
    PATIENCE_S,
    SteadyDecision,
    by_current_rule,
    by_older_rule,
    decide,
)
from benchmarks.warm_up_curves.record import CONTENT

from webdyno.catalog.catalog import Catalog

pytestmark = pytest.mark.slow

CURVES = [read_curve(path) for path in sorted(Path(__file__).parent.glob("curves/*.csv"))]
CATALOG = Catalog.with_overlay(CONTENT)


def warm_from_s(curve: Curve) -> float | None:
    label = curve.facts["warm_from_s"]
    return None if label == "never" else float(label)


def judged(curve: Curve) -> SteadyDecision:
    bounds = CATALOG.server_variant(curve.facts["server"]).server.warmup_of()
    return decide(curve, by_current_rule(bounds), bounds.min)


@pytest.fixture(scope="module")
def today() -> dict[str, SteadyDecision]:
    return {curve.name: judged(curve) for curve in CURVES}


def test_there_are_curves_of_all_runtimes_and_each_is_labelled() -> None:
    assert len(CURVES) >= 55
    runtimes = {curve.facts["runtime"].partition(" ")[0] for curve in CURVES}
    assert {"JVM", "V8", "go", "python", "rust"} <= runtimes
    for curve in CURVES:
        assert curve.facts["label"], curve.name
        assert warm_from_s(curve) is None or 0 <= float(curve.facts["warm_from_s"]) < 60
    size = sum(path.stat().st_size for path in Path(__file__).parent.glob("curves/*.csv"))
    assert size < 800_000


def test_servers_are_seldom_called_steady_too_early(today: dict[str, SteadyDecision]) -> None:
    called = [name for name, one in today.items() if one.at_s is not None]
    wrong = [name for name in called if today[name].wrong]
    assert len(wrong) <= 0.02 * len(called), wrong


def test_warm_servers_are_seldom_kept_waiting(today: dict[str, SteadyDecision]) -> None:
    asked, late = [], []
    for curve in CURVES:
        since_s = warm_from_s(curve)
        if since_s is None or curve.windows.seconds - NEXT_S - since_s < PATIENCE_S:
            continue
        asked.append(curve.name)
        at_s = today[curve.name].at_s
        if at_s is None or at_s > since_s + PATIENCE_S:
            late.append(curve.name)
    assert len(asked) >= 30
    assert len(late) <= 0.05 * len(asked), late


def test_an_even_level_alone_misleads_more_often(today: dict[str, SteadyDecision]) -> None:
    old = [decide(curve, by_older_rule, 0.5, 8.0) for curve in CURVES]
    called = [one for one in old if one.at_s is not None]
    wrong = [one for one in called if one.wrong]
    assert len(wrong) / len(called) > 2 * sum(one.wrong for one in today.values()) / len(today)
