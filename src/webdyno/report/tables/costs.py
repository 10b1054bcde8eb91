"""What one more of something costs: a line for each server, or the steps of a growing stack."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.numbers import MISSING, counted, percent

if TYPE_CHECKING:
    from webdyno.store.findings import CostRecord, EntryCost, StackStep
    from webdyno.store.records import RunRecord


@dataclass(frozen=True)
class SlopeRow:
    """One server's line: all figures as text."""

    entry: str
    each: str
    interval: str
    none: str
    misfit: str
    blocks: int


@dataclass(frozen=True)
class StepRow:
    """One level of the stack: for each server its cost and the cost's interval, as text."""

    name: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CostView:
    """A cost as the page shows it; either `slopes` or `steps` is empty."""

    title: str
    scope: str
    note: str
    chart: str
    entries: tuple[str, ...]
    slopes: tuple[SlopeRow, ...]
    steps: tuple[StepRow, ...]


def views(run: RunRecord) -> list[CostView]:
    """The costs of `run`, in the order of its study."""
    return [_view(cost, place) for place, cost in enumerate(run.costs)]


def lines(run: RunRecord) -> list[tuple[str, str]]:
    """The costs for a terminal: a label, and a sentence."""
    texts = []
    for cost, view in zip(run.costs, views(run), strict=True):
        if view.slopes:
            told = "; ".join(
                f"{row.entry} {row.each}" + (f" {row.interval}" if row.interval else "")
                for row in view.slopes
            )
            texts.append(("cost", f"of one more {cost.each}, in CPU time per request: {told}"))
            continue
        for place, entry in enumerate(view.entries):
            told = ", ".join(f"{row.name} {row.cells[place][0]}" for row in view.steps)
            texts.append(("cost", f"of each {cost.each} in {entry}: {told}"))
    return texts


def _view(cost: CostRecord, place: int) -> CostView:
    stepwise = any(one.steps for one in cost.entries)
    sure = f"{percent(cost.confidence)} confidence, all intervals of the table together"
    if stepwise:
        title = f"What each {cost.each} costs, added one at a time"
        note = (
            "Additional server CPU time per request, with everything above it already in place; "
            f"{sure}."
        )
    else:
        title = f"What one more {cost.each} costs"
        note = (
            "The slope of the server's CPU time per request over their number, fitted within "
            f"blocks; {sure}. Where the cost does not grow in proportion (see the largest "
            "deviation), the slope is only an average."
        )
    return CostView(
        title=title,
        scope=f"{cost.scenario} under {cost.load}",
        note=note,
        chart=f"cost-{place}",
        entries=tuple(one.entry for one in cost.entries),
        slopes=() if stepwise else tuple(_slope(one) for one in cost.entries),
        steps=_steps(cost) if stepwise else (),
    )


def _slope(one: EntryCost) -> SlopeRow:
    if one.each_ns is None:
        known = counted(len(one.points), "point")
        return SlopeRow(one.entry, "not yet known", f"{known} of one block", MISSING, MISSING, 1)
    return SlopeRow(
        entry=one.entry,
        each=nanoseconds(one.each_ns),
        interval=_interval(one.low_ns, one.high_ns, 1.0),
        none=microseconds(one.none_ns),
        misfit=microseconds(one.misfit_ns),
        blocks=one.blocks,
    )


def _steps(cost: CostRecord) -> tuple[StepRow, ...]:
    at = {(one.entry, step.name): step for one in cost.entries for step in one.steps}
    levels = {step.name: step.at for one in cost.entries for step in one.steps}
    names = sorted(levels, key=levels.__getitem__)
    return tuple(
        StepRow(name, tuple(_step(at.get((one.entry, name))) for one in cost.entries))
        for name in names
    )


def _step(step: StackStep | None) -> tuple[str, str]:
    if step is None:
        return MISSING, ""
    interval = _interval(step.low_ns, step.high_ns, 1000.0)
    return microseconds(step.cost_ns), interval or "one block"


def nanoseconds(value: float | None) -> str:
    """`1,234 ns`, `41.2 ns`."""
    if value is None or not math.isfinite(value):
        return MISSING
    return f"{value:,.{0 if abs(value) >= 100 else 1}f} ns"


def microseconds(ns: float | None) -> str:
    """Nanoseconds as `41.2 µs`."""
    return MISSING if ns is None or not math.isfinite(ns) else f"{ns / 1000:,.1f} µs"


def _interval(low: float | None, high: float | None, divisor: float) -> str:
    if low is None or high is None:
        return ""
    decimals = 0 if divisor == 1.0 and max(abs(low), abs(high)) >= 100 else 1
    return f"[{low / divisor:,.{decimals}f}, {high / divisor:,.{decimals}f}]"
