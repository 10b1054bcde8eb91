"""How many machines a day's traffic needs: by the published rule, and by the simulated queue."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webdyno.capacity.objective import CapacityObjective
from webdyno.capacity.queue import Discipline
from webdyno.capacity.records import Hour, MachineCount, Plan, Rate
from webdyno.capacity.service import MeasuredService, error_share, service
from webdyno.capacity.simulate import SimulatedMachine
from webdyno.capacity.traffic import DAY_S, DayCurve, published_rate_rps
from webdyno.store.disqualification import without_disqualified
from webdyno.verdict.capacity import capacity
from webdyno.verdict.limits.limit import NOT_ITS_OWN

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord, TrialRecord
    from webdyno.store.search import SearchRecord

SATURATING = ("closed", "iterations")
"""Kinds of load whose users always have a request under way: their throughput is the machine's."""
SEED = 20150603
CONFIDENCE = 0.95
"""Of the interval of a rate over blocks."""

STILL_WARMING = "it was still warming when measured, so once warm it may need a different number"


@dataclass(frozen=True)
class Demand:
    """What is asked for: requests a day, how they spread, what must hold, and room to spare."""

    daily: float
    curve: DayCurve
    goal: CapacityObjective
    headroom: float = 0.0
    """More than the traffic that is planned for, as a share of it."""

    @property
    def published_rps(self) -> float:
        """The rate of the published rule, for all machines together."""
        return published_rate_rps(self.daily) * (1 + self.headroom)

    @property
    def peak_rps(self) -> float:
        """The rate at the curve's peak, for all machines together."""
        return self.daily / DAY_S * self.curve.peak * (1 + self.headroom)


def plans(run: RunRecord, demand: Demand, discipline: Discipline = "shared") -> list[Plan]:
    """A plan for each server under each scenario and saturating load, fewest machines first.

    Trials that did not count are left out, and so is the second entry of an A/A pair.
    """
    study = run.study
    found: dict[tuple[str, str, str], list[TrialRecord]] = {}
    for trial in without_disqualified(run.trials):
        saturating = study.kind_of(trial.load) in SATURATING
        counted = trial.measurement is not None and trial.status == "ok" and not trial.control
        if saturating and counted:
            found.setdefault((trial.scenario, trial.load, trial.entry), []).append(trial)
    searched = _searched(run, demand.goal)
    made = [
        replace(plan(trials, demand, discipline), searched=searched.get((scenario, entry)))
        for (scenario, _load, entry), trials in found.items()
    ]
    return sorted(made, key=_order)


def _searched(run: RunRecord, objective: CapacityObjective) -> dict[tuple[str, str], Rate]:
    """What searches for the same objective found, by scenario and entry."""
    found: dict[tuple[str, str], list[SearchRecord]] = {}
    for trial in without_disqualified(run.trials):
        search = trial.search
        if search is None or not trial.is_evidence or trial.control:
            continue
        same = (
            math.isclose(search.quantile, objective.quantile)
            and search.limit_s == objective.bound_s
        )
        if same and math.isclose(search.errors_share, objective.error_share):
            found.setdefault((trial.scenario, trial.entry), []).append(search)
    rates = {key: rate_found(searches) for key, searches in found.items()}
    return {key: rate for key, rate in rates.items() if rate is not None}


def _order(plan: Plan) -> tuple[str, str, float, float]:
    carried = plan.simulated.rps if plan.simulated else 0.0
    return (plan.scenario, plan.load, plan.machines.needed or math.inf, -carried)


def plan(trials: Sequence[TrialRecord], demand: Demand, discipline: Discipline = "shared") -> Plan:
    """The plan for one server, from the blocks that measured it warm."""
    first = trials[0]
    warm = [trial for trial in trials if trial.is_evidence]
    used = warm or trials
    measured = [trial.measurement for trial in used if trial.measurement is not None]
    throughput = over_blocks([m.throughput_rps for m in measured])
    errors = sum(error_share(m) for m in measured) / len(measured)
    machines = [found for m in measured if (found := service(m)) is not None]
    carried = _carried_rates(machines, demand, discipline) if len(machines) == len(measured) else []
    simulated = over_blocks(carried) if carried else None
    bound = any(trial.limit in NOT_ITS_OWN for trial in used)
    # What the generator's limit shows is the least that the server can do.
    waiting = [] if bound else [one for one in machines if not one.is_saturated]
    waits = bool(waiting) and 2 * len(waiting) >= len(machines)
    reason = _reason(simulated, carried, errors, demand.goal, waiting if waits else ())
    reason = reason if warm else STILL_WARMING
    rate = Rate(0.0) if reason or simulated is None else simulated
    return Plan(
        entry=first.entry,
        scenario=first.scenario,
        load=first.load,
        blocks=len(used),
        throughput=throughput,
        published=throughput.machines(demand.published_rps)
        if warm and not waits
        else MachineCount(None),
        simulated=simulated,
        machines=rate.machines(demand.peak_rps),
        error_share=errors,
        reason=reason,
        day=_day(machines, carried, demand, rate, discipline),
        limited_by_generator=bound,
        stalled_share=max((one.stalled_share(demand.goal.bound_s) for one in machines), default=0),
    )


def _day(
    machines: Sequence[MeasuredService],
    rates: Sequence[float],
    demand: Demand,
    rate: Rate,
    discipline: Discipline,
) -> tuple[Hour, ...]:
    """The day of one of the machines that are needed: as the middle block measured it, made so much
    faster or slower that it carries the mean over blocks, which the number is of."""
    needed = rate.machines(demand.peak_rps).needed
    if needed is None:
        return ()
    peak_rps = demand.peak_rps / needed
    middle = sorted(range(len(rates)), key=rates.__getitem__)[len(rates) // 2]
    speed = rate.rps / rates[middle]
    typical = replace(machines[middle], throughput_rps=speed * machines[middle].throughput_rps)
    hours = _machine(typical, demand, discipline, middle).day(peak_rps)
    if hours[0].latency_s <= demand.goal.bound_s:
        return hours
    # Latencies do not scale as rates do: the slowest block that carries it for certain.
    able = [block for block, rps in enumerate(rates) if rps >= peak_rps]
    block = min(able, key=rates.__getitem__) if able else rates.index(max(rates))
    return _machine(machines[block], demand, discipline, block).day(peak_rps)


def _machine(
    service: MeasuredService, demand: Demand, discipline: Discipline, block: int
) -> SimulatedMachine:
    """What `block` measured, under the demand; each block draws its own arrivals."""
    return SimulatedMachine(service, demand.goal, demand.curve, discipline, SEED + block)


def rate_found(searches: Sequence[SearchRecord]) -> Rate | None:
    """The capacity that a server's `searches` found, 0 where it meets the objective at no rate;
    None where it is not known."""
    measured = capacity(searches, CONFIDENCE)
    if measured is None:
        return None
    if measured.kind == "not-met":
        return Rate(0.0)
    return Rate(measured.rps, measured.low_rps, measured.high_rps)


def over_blocks(values: Sequence[float]) -> Rate:
    """The geometric mean over blocks, and Student's interval of it on the logarithmic scale.

    Without an interval where there is a single block; 0 where any block is.
    """
    if min(values) <= 0:
        return Rate(0.0)
    logs = [math.log(value) for value in values]
    mean = sum(logs) / len(logs)
    if len(logs) < 2:
        return Rate(math.exp(mean))
    from scipy.special import stdtrit

    spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    half = float(stdtrit(len(logs) - 1, (1 + CONFIDENCE) / 2)) * spread
    return Rate(math.exp(mean), math.exp(mean - half), math.exp(mean + half))


def _carried_rates(
    services: Iterable[MeasuredService], demand: Demand, discipline: Discipline
) -> list[float]:
    return [
        _machine(found, demand, discipline, block).carried_rps()
        for block, found in enumerate(services)
    ]


def _reason(
    simulated: Rate | None,
    rates: Sequence[float],
    errors: float,
    objective: CapacityObjective,
    waiting: Sequence[MeasuredService],
) -> str:
    if simulated is None:
        return "its generator reports no latency distribution"
    if waiting:
        busy = min(one.busy_share or 0.0 for one in waiting)
        return (
            f"the load kept it only {busy:.0%} busy, so its throughput is that of the load's "
            "connections; give the load more of them, or search with a load of kind objective"
        )
    if errors > objective.error_share:
        return f"{errors:.2%} of its requests failed, which more machines would not fix"
    if simulated.rps <= 0:
        missed = sum(rps <= 0 for rps in rates)
        where = "" if missed == len(rates) else f"in {missed} of {len(rates)} blocks "
        return f"{where}it misses the objective even when idle"
    return ""
