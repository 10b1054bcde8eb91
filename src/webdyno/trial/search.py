"""An objective's load: open loads at rates that a search chooses, in one life of the server."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from webdyno._engine import Observer
from webdyno.catalog import quantity
from webdyno.catalog.load import Objective, Open
from webdyno.generators.base import Generator, Job
from webdyno.store import histograms
from webdyno.store.records import Warmup
from webdyno.store.search import SearchRecord, StepRecord
from webdyno.trial import measure
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.verdict.objective import Finding, Search, Step
from webdyno.verdict.objective_step import Goal, Judged, Seen, judge_step

BREATH_S = 0.1
"""Between steps, for the server to close the connections of the last one."""


@dataclass(frozen=True)
class Made:
    """A step that was made: the generator's result, and the observer's marks around it."""

    step: Step
    judged: Judged
    result: dict[str, Any]
    marks: tuple[str, str]


@dataclass(frozen=True)
class Searched:
    """What a trial's search found. `best` is the step whose figures are the trial's: the one that
    confirmed the rate, else the best that held, else the gentlest. `refuting` is the gentlest that
    failed, which shows what limits the server. `counts` are those of all steps together."""

    record: SearchRecord
    best: Made
    refuting: Made | None
    counts: dict[str, int]


def goal_of(load: Objective) -> Goal:
    """The load's objective as the search takes it."""
    share, limit_s = quantity.objective(load.objective)
    return Goal(
        quantile=share,
        limit_s=limit_s,
        errors=quantity.share_at_most(load.errors),
        tolerance=load.tolerance,
        step_s=load.step,
    )


def probed_rps(warmup: Warmup) -> float:
    """The closed loop's throughput at the end of the warm-up: where the search begins."""
    since = warmup.steady_after_s or 0.0
    rates = [rate for end_s, rate in warmup.ticks if end_s > since] or [
        rate for _, rate in warmup.ticks
    ]
    return float(np.median(rates)) if rates else 0.0


def search(
    plan: TrialPlan,
    load: Objective,
    generator: Generator,
    job: Job,
    observer: Observer,
    listener: Listener,
    warmup: Warmup,
) -> Searched:
    """Search for the rate. Raises `GeneratorError`, and `Unshowable` where no step can show it."""
    goal = goal_of(load)
    most = quantity.rate(load.max_rate) if load.max_rate else None
    course = Search(goal, max(probed_rps(warmup), 1e-3), most)
    made: list[Made] = []
    while (step := course.next()) is not None:
        listener("search", rate_rps=step.rate_rps, purpose=step.purpose, step=len(made) + 1)
        stepping = replace(
            job, load=load.at(step.rate_rps, step.seconds), seed=job.seed + len(made)
        )
        one = _make(plan, goal, step, generator, stepping, observer, listener, len(made))
        made.append(one)
        course.learn(step, one.judged)
        time.sleep(BREATH_S)
    finding = course.finding()
    counts: Counter[str] = Counter()
    for one in made:
        counts.update(one.result["counts"])
    return Searched(
        record=_record(load, goal, course.probe_rps, finding, made),
        best=_best(made, finding),
        refuting=_gentlest([one for one in made if one.judged.outcome == "failed"]),
        counts=dict(counts),
    )


def _make(
    plan: TrialPlan,
    goal: Goal,
    step: Step,
    generator: Generator,
    job: Job,
    observer: Observer,
    listener: Listener,
    number: int,
) -> Made:
    marks = (f"begin {number}", f"end {number}")
    result = measure.load_and_watch(plan, generator, job, observer, listener, marks)
    cores = len(plan.placement.server)
    # The cores are also busy while the answers under way are waited for, after the load.
    share = min(1.0, result["server_cores_busy_s"] / max(result["elapsed_s"] * cores, 1e-9))
    result = {**result, "server_busy_share": share}
    assert isinstance(job.load, Open)
    judged = judge_step(goal, seen_of(goal, result, job.load.connections, share))
    return Made(step, judged, result, marks)


def seen_of(goal: Goal, result: dict[str, Any], connections: int, server_share: float) -> Seen:
    """What a step's result says of the objective."""
    counts = result["counts"]
    from_send = result["latency_from_send_us"]["mean"] if counts["ok"] else 0.0
    whole = [row for row in result["series"] if row["second"] + 1 <= result["elapsed_s"] + 0.01]
    return Seen(
        offered=counts["offered"],
        ok=counts["ok"],
        late=_later(result["histograms"]["from_intended"], goal.limit_s),
        late_from_send=_later(result["histograms"]["from_send"], goal.limit_s),
        medians_s=[row["p50_us"] / 1e6 for row in whole if row["ok"]],
        generator_share=generator_share(result),
        server_share=server_share,
        busy_connections=result["throughput_rps"] * from_send / 1e6 / connections,
    )


def generator_share(result: dict[str, Any]) -> float:
    """CPU of the generator, as a share of its threads' cores."""
    generator = result["generator"]
    whole = max(result["elapsed_s"] * generator["threads"], 1e-9)
    return float(generator["cpu_seconds"] / whole)


def _later(encoded: str, limit_s: float) -> int:
    """Answers that came after the limit."""
    held = histograms.decode(encoded)
    return int(held.counts[held.values_us > limit_s * 1e6].sum())


def _gentlest(made: list[Made]) -> Made | None:
    return min(made, key=lambda one: one.step.rate_rps, default=None)


def _best(made: list[Made], finding: Finding) -> Made:
    held = [
        one
        for one in made
        if one.judged.outcome == "held" and one.step.rate_rps <= (finding.held_rps or 0.0)
    ]
    confirmed = [one for one in held if one.step.purpose == "confirm"]
    if confirmed or held:
        return max(confirmed or held, key=lambda one: one.step.rate_rps)
    gentlest = _gentlest(made)
    assert gentlest is not None
    return gentlest


def _record(
    load: Objective, goal: Goal, probe_rps: float, finding: Finding, made: list[Made]
) -> SearchRecord:
    return SearchRecord(
        objective=load.objective,
        quantile=goal.quantile,
        limit_s=goal.limit_s,
        errors_share=goal.errors,
        tolerance=goal.tolerance,
        probe_rps=probe_rps,
        kind=finding.kind,
        capacity_rps=finding.capacity_rps,
        low_rps=finding.low_rps,
        high_rps=finding.high_rps,
        held_rps=finding.held_rps,
        failed_rps=finding.failed_rps,
        reason=finding.reason,
        steps=[_step_record(goal, one) for one in made],
    )


def _step_record(goal: Goal, one: Made) -> StepRecord:
    result, counts = one.result, one.result["counts"]
    offered = max(counts["offered"], 1)
    lost = counts["offered"] - counts["ok"]
    encoded = result["histograms"]["from_intended"]
    latency = result["latency_us"] if counts["ok"] else None
    return StepRecord(
        rate_rps=round(one.step.rate_rps, 3),
        seconds=one.step.seconds,
        purpose=one.step.purpose,
        outcome=one.judged.outcome,
        reason=one.judged.reason,
        throughput_rps=result["throughput_rps"],
        late_share=(lost + _later(encoded, goal.limit_s)) / offered,
        errors_share=lost / offered,
        p50_us=latency["p50"] if latency else None,
        p99_us=latency["p99"] if latency else None,
        quantile_us=histograms.decode(encoded).quantile(goal.quantile) if latency else None,
        server_share=result["server_busy_share"],
        generator_share=generator_share(result),
    )
