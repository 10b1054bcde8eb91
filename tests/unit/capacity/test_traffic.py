"""The published rule, and the curve of the day."""

from __future__ import annotations

import numpy as np
import pytest

from webdyno.capacity.objective import objective
from webdyno.capacity.plan import Demand
from webdyno.capacity.records import MachineCount, Rate
from webdyno.capacity.traffic import DayCurve, published_rate_rps
from webdyno.catalog.terms.quantity import daily_views
from webdyno.errors import UserError


def test_the_published_example() -> None:
    # 600 requests/s carry about 25 million page views a day.
    assert published_rate_rps(25e6) == pytest.approx(578.7, abs=0.1)


@pytest.mark.parametrize(
    ("text", "views"), [("25M/day", 25e6), ("800k/day", 8e5), ("1.5G/d", 1.5e9), ("7 / day", 7)]
)
def test_page_views(text: str, views: float) -> None:
    assert daily_views(text) == views


@pytest.mark.parametrize(
    "text",
    ["25M", "0/day", "many/day", "25M/h", "-1/day", "25,5M/day", "nan/day", "99999999999G/day",
     f"{'9' * 400}/day"],
)  # fmt: skip
def test_page_views_that_are_none(text: str) -> None:
    with pytest.raises(UserError, match="write it like 25M/day"):
        daily_views(text)


@pytest.mark.parametrize("curve", [DayCurve.of_the_rule(), DayCurve.with_peak(1.0)])
def test_a_day_of_a_peak_has_that_peak(curve: DayCurve) -> None:
    demand = Demand(curve.daily(5000.0), curve, objective("p99 < 50ms"))
    assert demand.peak_rps == pytest.approx(5000.0)


def test_the_curve_agrees_with_the_rule() -> None:
    curve = DayCurve.of_the_rule()
    assert curve.share_within(1.0) == pytest.approx(1.0)
    assert curve.share_within(0.4) == pytest.approx(0.8)
    assert curve.at(0.5) < 1 < curve.peak


@pytest.mark.parametrize("ratio", [1.0, 1.5, 4.0, 20.0])
def test_a_given_peak(ratio: float) -> None:
    curve = DayCurve.with_peak(ratio)
    assert curve.peak == pytest.approx(ratio)
    assert curve.share_within(1.0) == pytest.approx(1.0)


def test_a_peak_below_the_mean() -> None:
    with pytest.raises(UserError, match="from 1 to 20"):
        DayCurve.with_peak(0.5)


def test_arrivals_follow_the_curve() -> None:
    curve, random = DayCurve.of_the_rule(), np.random.default_rng(5)
    times = curve.arrivals(100.0, -0.5, 0.5, 1000.0, random)
    # 100,000 of them, with a standard deviation of 316.
    assert 98_500 < times.size < 101_500
    assert np.all(np.diff(times) >= 0)
    busiest = np.mean((times > 300) & (times < 700))
    assert float(busiest) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(
    ("text", "quantile", "bound_s", "errors"),
    [
        ("p99 < 100ms", 0.99, 0.1, 0.001),
        ("p50<2s, errors < 1%", 0.5, 2.0, 0.01),
        ("errors < 0.5%, p99.9 < 1s", 0.999, 1.0, 0.005),
    ],
)
def test_objectives(text: str, quantile: float, bound_s: float, errors: float) -> None:
    found = objective(text)
    assert (found.quantile, found.bound_s) == pytest.approx((quantile, bound_s))
    assert found.error_share == pytest.approx(errors)
    assert "errors" in found.text
    assert found.quantity in text


@pytest.mark.parametrize("text", ["", "p99", "p99 > 100ms", "errors < 1%", "p0 < 1s", "p99 < x"])
def test_objectives_that_are_none(text: str) -> None:
    with pytest.raises(UserError):
        objective(text)


def test_machines_of_a_rate() -> None:
    assert Rate(100.0, 90.0, 110.0).machines(1000.0) == MachineCount(10, 10, 12)
    assert Rate(100.0).machines(1001.0) == MachineCount(11)
    assert Rate(0.0).machines(5.0) == MachineCount(None)
    assert Rate(100.0).machines(1.0).needed == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p99 < 100ms, p50 < 1ms", "sets two limits on latency; give the one that matters"),
        ("errors < 1%, p99 < 1s, errors < 2%", "limits errors twice; give one limit"),
        ("errors < 1%", "sets no limit on latency"),
    ],
)
def test_an_objective_is_one_limit_on_latency_and_one_on_errors(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        objective(text)
