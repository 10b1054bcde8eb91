"""An objective's load: open loads at rates that a search chooses, in one life of the server."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from webdyno.catalog.loads.load import Objective, Open
from webdyno.catalog.terms import quantity
from webdyno.generators.job import BEGIN, END
from webdyno.store.counts import RequestCounts
from webdyno.store.records import Warmup
from webdyno.trial.events import SearchStepStarted
from webdyno.trial.leftovers import work_off
from webdyno.trial.loads.loading import Loaded, Loading, WatchedLoad
from webdyno.trial.loads.search_steps import (
    SearchedStep,
    best_of,
    gentlest,
    goal_of,
    search_record,
    step_result,
)
from webdyno.trial.loads.watched import load_and_watch
from webdyno.verdict.search.objective import NextStep, Search
from webdyno.verdict.search.objective_step import Goal, judge_step

BREATH_S = 0.1
"""Between steps, for the server to close the connections of the last one."""


def probed_rps(warmup: Warmup) -> float:
    """The closed loop's throughput at the end of the warm-up: where the search begins.

    A server that stood still for most of a short warm-up has a mean, if no median.
    """
    since = warmup.steady_after_s or 0.0
    every = [rate for _, rate in warmup.ticks] or [0.0]
    late = [rate for end_s, rate in warmup.ticks if end_s > since] or every
    return float(np.median(late) or np.mean(late) or np.mean(every))


def search(loading: Loading) -> Loaded:
    """Search for the rate. Raises `GeneratorError`, and `Unshowable` where no step can show it.

    The load that counts is the step that confirmed the rate, else the best that held, else the
    gentlest.
    """
    load, warmup = loading.plan.load, loading.state.warmup
    assert isinstance(load, Objective)
    assert warmup is not None
    goal = goal_of(load)
    most = quantity.rate(load.max_rate) if load.max_rate else None
    rates = Search(goal, probed_rps(warmup), most)
    loads: list[WatchedLoad] = []
    made: list[SearchedStep] = []
    while (step := rates.next()) is not None:
        loading.listener(
            SearchStepStarted(rate_rps=step.rate_rps, purpose=step.purpose, step=len(made) + 1)
        )
        opened = load.at(step.rate_rps, step.seconds)
        loads.append(_make(loading, opened, len(made)))
        made.append(_judged(loading, goal, step, loads[-1], opened.connections))
        rates.learn(step, made[-1].judged)
        time.sleep(BREATH_S)
        # Some of these loads are more than the server can answer.
        work_off(loading.process.pid)
    finding = rates.finding()
    refuting = gentlest([one for one in made if one.judged.outcome == "failed"])
    return Loaded(
        load=loads[made.index(best_of(made, finding))],
        counts=sum((one.result.counts for one in made), RequestCounts()),
        followed=sum(one.result.changes.counts_followed for one in made),
        search=search_record(load, goal, rates.probe_rps, finding, made),
        refuting=loads[made.index(refuting)] if refuting else None,
    )


def _make(loading: Loading, opened: Open, number: int) -> WatchedLoad:
    job = replace(loading.job, load=opened, seed=loading.job.seed + number)
    return load_and_watch(loading, job, (f"{BEGIN} {number}", f"{END} {number}"))


def _judged(
    loading: Loading, goal: Goal, step: NextStep, load: WatchedLoad, connections: int
) -> SearchedStep:
    result, cores = load.result, loading.plan.server_cores
    # The cores are also busy while the answers under way are waited for, after the load.
    did = load.cores.server
    share = min(1.0, did.busy / max(result.elapsed_s * cores, 1e-9)) if did else None
    judged = judge_step(goal, step_result(goal, result, connections, share))
    return SearchedStep(step, judged, result, share)
