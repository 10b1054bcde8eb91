"""Machines to money, and what one server saves against another."""

from __future__ import annotations

import math

import pytest

from webdyno.capacity.cost import Line, monthly, with_savings
from webdyno.capacity.records import MachineCount, Rate
from webdyno.catalog.terms import quantity
from webdyno.errors import UserError
from webdyno.report.tables.bills import machines_text, money_text, saving_text


def line(entry: str, rate: Rate, demand_rps: float = 1000.0, price: float = 0.1) -> Line:
    machines = rate.machines(demand_rps)
    return Line(entry, rate, machines, monthly(machines, price))


def test_prices() -> None:
    assert quantity.price("0.10/h") == 0.1
    assert quantity.price("73/month") == pytest.approx(0.1)
    with pytest.raises(UserError, match=r"write it like 0\.10/h"):
        quantity.price("cheap")
    for text in ("0/h", "2000000000/h", f"{'9' * 400}/h"):
        with pytest.raises(UserError, match="it must be above 0 and at most a billion"):
            quantity.price(text)


def test_machines_by_hours_by_price() -> None:
    found = monthly(MachineCount(4, 3, 6), 0.1)
    assert found is not None
    assert (found.amount, found.low, found.high) == pytest.approx((292.0, 219.0, 438.0))
    assert monthly(MachineCount(None), 0.1) is None


def test_savings_are_of_the_dearest_and_cheapest_comes_first() -> None:
    slow, fast = line("slow", Rate(100.0, 90.0, 112.0)), line("fast", Rate(400.0, 350.0, 500.0))
    first, last = with_savings([slow, fast])
    assert (first.entry, last.entry) == ("fast", "slow")
    assert first.saving == pytest.approx(1 - 3 / 10)
    # Three machines (2 to 3) against ten (9 to 12).
    assert first.saving_low == pytest.approx(1 - 3 / 9)
    assert first.saving_high == pytest.approx(1 - 2 / 12)
    assert last.saving is None


def test_an_end_that_the_data_does_not_bound_stays_open() -> None:
    wide, sure = line("wide", Rate(100.0, 0.0, 200.0)), line("sure", Rate(200.0, 190.0, 210.0))
    first, last = with_savings([wide, sure])
    assert last.machines.high == math.inf
    assert first.saving_high == 1.0
    assert machines_text(last.machines) == "10 [5, ∞]"
    assert money_text(last.monthly) == "730 [365, ∞]"


def test_no_interval_where_there_is_none() -> None:
    one, two = with_savings([line("a", Rate(500.0)), line("b", Rate(100.0))])
    assert saving_text(one) == "80%"
    assert money_text(one.monthly, "EUR") == "146 EUR"
    assert saving_text(two) == "–"


def test_what_meets_the_objective_at_no_rate_has_no_price() -> None:
    never = Line("never", Rate(0.0), MachineCount(None), None, reason="too slow")
    first, last = with_savings([never, line("some", Rate(500.0))])
    assert (first.entry, last.entry) == ("some", "never")
    assert first.saving is None
    assert money_text(last.monthly) == "–"
