"""Machines and money in the report, where the study states a traffic and a price."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.capacity.cost import bills
from webdyno.capacity.traffic import DayCurve
from webdyno.catalog.terms.quantity import daily_views, price
from webdyno.report.numbers import MISSING, percent, scale_for

if TYPE_CHECKING:
    from webdyno.capacity.cost import Line, Money
    from webdyno.capacity.records import MachineCount, Rate
    from webdyno.store.records import RunRecord


@dataclass(frozen=True)
class BillRow:
    """One server of the table, as text."""

    entry: str
    capacity: str
    machines: str
    monthly: str
    saving: str
    reason: str


@dataclass(frozen=True)
class BillTable:
    """One scenario at one objective; `assumed` states traffic and price."""

    title: str
    assumed: str
    rows: tuple[BillRow, ...]


def tables(run: RunRecord) -> list[BillTable]:
    """The tables of `run`; none where its study plans nothing."""
    planning = run.study.planning
    if planning is None:
        return []
    daily = daily_views(planning.traffic)
    room = 1 + planning.headroom
    peak_rps = daily / 86400 * DayCurve.of_the_rule().peak * room
    currency = planning.currency
    each = price(planning.price)
    more = f", including {room - 1:.0%} headroom" if room > 1 else ""
    peak = scale_for("rate", [peak_rps]).with_unit(peak_rps)
    assumed = (
        f"{daily:,.0f} requests a day, {peak} at the peak of a day whose busiest "
        f"40% of hours get 80% of them{more}; each machine is as large as the server's share of "
        f"this one, at {each:.4g} {currency} per hour. Traffic and price are the study's examples; "
        "use your own (`webdyno capacity --help`)"
    )
    return [
        BillTable(
            title=f"{bill.scenario} under {bill.load}: {bill.objective}",
            assumed=assumed,
            rows=tuple(_row(line, currency) for line in bill.lines),
        )
        for bill in bills(run, peak_rps, each)
    ]


def _row(line: Line, currency: str) -> BillRow:
    return BillRow(
        entry=line.entry,
        capacity=capacity_text(line.capacity) if line.capacity.rps > 0 else MISSING,
        machines=machines_text(line.machines),
        monthly=money_text(line.monthly, currency),
        saving=saving_text(line),
        reason=line.reason,
    )


def capacity_text(rate: Rate) -> str:
    """`1,000 [960, 1,050]`; `at least 1,000` where a machine may handle more."""
    shown = scale_for("rate", [rate.rps]).text
    if rate.at_least:
        return f"at least {shown(rate.rps)}"
    if rate.low is None or rate.high is None:
        return shown(rate.rps)
    return f"{shown(rate.rps)} [{shown(rate.low)}, {shown(rate.high)}]"


def machines_text(machines: MachineCount) -> str:
    """`4 [3, 6]`, or `at most 4`; a dash where no number would do."""
    if machines.needed is None:
        return MISSING
    if machines.at_most:
        return f"at most {machines.needed}"
    if machines.low is None or machines.high is None or machines.low == machines.high:
        return f"{machines.needed}"
    return f"{machines.needed} [{machines.low}, {_bounded(machines.high)}]"


def money_text(money: Money | None, currency: str = "") -> str:
    """`292 [219, 438] USD`, or `at most 292 USD`; a dash where there is none."""
    if money is None:
        return MISSING
    unit = f" {currency}" if currency else ""
    if money.at_most:
        return f"at most {money.amount:,.0f}{unit}"
    if money.low is None or money.high is None or money.low == money.high:
        return f"{money.amount:,.0f}{unit}"
    return f"{money.amount:,.0f} [{money.low:,.0f}, {_bounded(money.high)}]{unit}"


def saving_text(line: Line) -> str:
    """`70% [61%, 77%]`, of the dearest one's bill; a dash for that one."""
    if line.saving is None:
        return MISSING
    if line.saving_low is None or line.saving_high is None:
        return percent(line.saving)
    if line.machines.at_most:
        return f"at least {line.saving_low:.0%}"
    return f"{line.saving:.0%} [{line.saving_low:.0%}, {line.saving_high:.0%}]"


def _bounded(value: float) -> str:
    return f"{value:,.0f}" if math.isfinite(value) else "∞"
