"""From a capacity to machines and money, and what one server saves against another.

The price is the reader's own: a machine like the one measured, or rather like the share of it that
the server was given. Everything else follows: machines for the traffic's peak at the measured
capacity, at least one, for `HOURS_A_MONTH` hours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webdyno.capacity.plan import STILL_WARMING, rate_found
from webdyno.capacity.records import MachineCount, Rate
from webdyno.catalog.terms.metric import METRICS
from webdyno.catalog.terms.quantity import HOURS_A_MONTH
from webdyno.run.judgement.figures import least_of
from webdyno.store.disqualification import without_disqualified
from webdyno.store.document import described

if TYPE_CHECKING:
    from webdyno.capacity.records import Plan
    from webdyno.store.records import RunRecord, TrialRecord


@described
@dataclass(frozen=True)
class Money:
    """An amount a month, in the price's own unit, with the ends of its interval where there is
    one."""

    amount: float
    """Of all machines."""
    low: float | None = None
    """Lower end of its interval."""
    high: float | None = None
    """Upper end of its interval; infinite where the data does not bound it."""
    at_most: bool = False
    """Whether less may do, since a machine may handle more than it was seen to."""


@described
@dataclass(frozen=True)
class Line:
    """One server: what a machine handles at the objective, machines, money."""

    entry: str
    """The server, with its variant."""
    capacity: Rate
    """What a machine handles at the objective."""
    machines: MachineCount
    """What the traffic's peak needs."""
    monthly: Money | None
    """What they cost; None where no number of them would do."""
    saving: float | None = None
    """The part of the dearest server's bill that this one saves: 0.7 is 70%; None where either is
    not known."""
    saving_low: float | None = None
    """Lower end of the saving's interval."""
    saving_high: float | None = None
    """Upper end of the saving's interval."""
    reason: str = ""
    """Why there is no figure, or why it is the least that a machine handles."""


@described
@dataclass(frozen=True)
class Bill:
    """The table of one scenario and load."""

    scenario: str
    """The work."""
    load: str
    """That measured what a machine handles."""
    objective: str
    """What a machine must meet."""
    lines: tuple[Line, ...]
    """The servers, the cheapest first."""


def monthly(machines: MachineCount, price_per_hour: float) -> Money | None:
    """What `machines` cost a month; None where no number of them would do."""
    if machines.needed is None:
        return None
    each = price_per_hour * HOURS_A_MONTH
    return Money(
        amount=machines.needed * each,
        low=None if machines.low is None else machines.low * each,
        high=None if machines.high is None else machines.high * each,
        at_most=machines.at_most,
    )


def with_savings(lines: Iterable[Line]) -> list[Line]:
    """The lines, cheapest first, each with what it saves against the dearest.

    The interval of a saving is from the cheap server's upper and the dear one's lower end to the
    other way round: wider than need be, since the two do not vary together.
    """
    by_price = sorted(lines, key=lambda line: (_amount(line), -line.capacity.rps))
    known = [line for line in by_price if line.monthly is not None]
    if len(known) < 2:
        return by_price
    dearest = known[-1].monthly
    assert dearest is not None
    if dearest.at_most:
        return by_price  # Whose bill is the highest is not known.
    return [line if line is known[-1] else _saved(line, dearest) for line in by_price]


def bills(run: RunRecord, peak_rps: float, price_per_hour: float) -> list[Bill]:
    """A table for each scenario and objective of `run`, at `peak_rps` for all machines together.

    Capacities and their intervals are those of the verdict (see `verdict.capacity`). The second
    entry of an A/A pair is left out.
    """
    cells: dict[tuple[str, str], dict[str, list[TrialRecord]]] = {}
    for trial in without_disqualified(run.trials):
        if trial.search is not None and not trial.control:
            cell = cells.setdefault(trial.cell, {})
            cell.setdefault(trial.entry, []).append(trial)
    return [
        Bill(
            scenario=scenario,
            load=load,
            objective=_objective(next(iter(entries.values()))),
            lines=tuple(
                with_savings(
                    _line(e, trials, peak_rps, price_per_hour) for e, trials in entries.items()
                )
            ),
        )
        for (scenario, load), entries in cells.items()
    ]


def bills_of_plans(plans: Sequence[Plan], objective: str, price_per_hour: float) -> list[Bill]:
    """The same from `plan.plans`: machines of the simulated queues, for loads without a search."""
    cells: dict[tuple[str, str], list[Line]] = {}
    for plan in plans:
        line = Line(
            entry=plan.entry,
            capacity=plan.simulated or Rate(0.0),
            machines=plan.machines,
            monthly=monthly(plan.machines, price_per_hour),
            reason=plan.reason,
        )
        cells.setdefault((plan.scenario, plan.load), []).append(line)
    return [
        Bill(scenario, load, f"{objective}, by simulated queues", tuple(with_savings(lines)))
        for (scenario, load), lines in cells.items()
    ]


def _line(entry: str, trials: Sequence[TrialRecord], peak_rps: float, price: float) -> Line:
    good = [t.search for t in trials if t.is_evidence and t.search is not None]
    if not good:
        worked = any(trial.status == "ok" for trial in trials)
        why = STILL_WARMING if worked else trials[0].reason
        return Line(entry, Rate(0.0), MachineCount(None), None, reason=why)
    rate = rate_found(good) or Rate(0.0)
    if rate.rps <= 0:
        why = next((search.reason for search in good if search.capacity_rps <= 0), "")
        return Line(
            entry, rate, MachineCount(None), None, reason=why or "does not meet it at any rate"
        )
    machines = rate.machines(peak_rps)
    return Line(
        entry, rate, machines, monthly(machines, price), reason=least_of(trials, METRICS.searched)
    )


def _saved(line: Line, dearest: Money) -> Line:
    mine = line.monthly
    if mine is None:
        return line
    bounded = None not in (mine.low, mine.high, dearest.low, dearest.high)
    low = high = None
    if bounded:
        assert mine.low is not None and mine.high is not None  # noqa: PT018
        assert dearest.low is not None and dearest.high is not None  # noqa: PT018
        low = 1 - mine.high / dearest.low
        high = 1 - mine.low / dearest.high if math.isfinite(dearest.high) else 1.0
    saving = 1 - mine.amount / dearest.amount
    return replace(line, saving=saving, saving_low=low, saving_high=high)


def _amount(line: Line) -> float:
    return line.monthly.amount if line.monthly is not None else math.inf


def _objective(trials: Sequence[TrialRecord]) -> str:
    search = next(t.search for t in trials if t.search is not None)
    return f"{search.objective}, errors < {100 * search.errors_share:.3g}%"
