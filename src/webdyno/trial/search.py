"""An objective's load: open loads at rates that a search chooses, in one life of the server."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from webdyno._engine import Observer
from webdyno.catalog import quantity
from webdyno.catalog.load import Objective, Open
from webdyno.generators.base import Generator, Job
from webdyno.store.records import Warmup
from webdyno.store.search import SearchRecord
from webdyno.trial import measure
from webdyno.trial.distinct import counts_followed
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.trial.search_steps import Made, best_of, gentlest, goal_of, record_of, seen_of
from webdyno.verdict.objective import Search, Step
from webdyno.verdict.objective_step import Goal, judge_step

BREATH_S = 0.1
"""Between steps, for the server to close the connections of the last one."""


@dataclass(frozen=True)
class Searched:
    """What a trial's search found. `best` is the step whose figures are the trial's: the one that
    confirmed the rate, else the best that held, else the gentlest. `refuting` is the gentlest that
    failed, which shows what limits the server. `counts` are those of all steps together, and so is
    `followed`, of counts that were set under load."""

    record: SearchRecord
    best: Made
    refuting: Made | None
    counts: dict[str, int]
    followed: int


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
        record=record_of(load, goal, course.probe_rps, finding, made),
        best=best_of(made, finding),
        refuting=gentlest([one for one in made if one.judged.outcome == "failed"]),
        counts=dict(counts),
        followed=sum(counts_followed(one.result) for one in made),
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
