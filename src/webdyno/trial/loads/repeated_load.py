"""The load that counts, made again in the same life where it shows that the server was not warm.

Compilers that were quiet for seconds may find one more method hot at any moment: HotSpot was seen
to spend a tenth of a second on it, in a measurement of one and a half. Starting and warming up such
a server takes ten seconds and more, so one start is worth several measurements (Kalibera & Jones
2013, ISMM): those in which it compiled, or whose answers were much cheaper than those of the load
before, do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from webdyno.generators.job import BEGIN, END, Job
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.threads import NamedThreads
from webdyno.store.counts import RequestCounts
from webdyno.store.records import Warmup
from webdyno.trial.leftovers import work_off
from webdyno.trial.loads.loading import EDGES, Loaded, Loading, Marks, WatchedLoad
from webdyno.verdict.steadiness.warm import COMPILING, AnswerCost, cheaper

MOST = 6
"""Measurements of one life at the most."""

Once = Callable[[Loading, Job, Marks], WatchedLoad]
"""Makes a load between two marks."""


def repeated_until_warm(loading: Loading, once: Once) -> Loaded:
    """Make the load by `once`, again where it must be and may. Raises what `once` raises."""
    plan, job, warmed = loading.plan, loading.job, loading.state.warmup
    if warmed is None or not warmed.steady or job.record:
        return Loaded.once(once(loading, job, EDGES), cost_of(warmed))
    return measure_until_warm(
        lambda job, marks: once(loading, job, marks),
        job,
        loading.process.pid,
        plan.warmup.compilers,
        cost_of(warmed),
        loading.state.warmed_s,
    )


def cost_of(warmed: Warmup | None) -> AnswerCost | None:
    """What an answer cost at the end of a warm-up; None where that is not known."""
    if warmed is None or warmed.steady_cpu_us is None:
        return None
    return AnswerCost(warmed.steady_cpu_us, warmed.steady_generator_us)


def measure_until_warm(
    load: Callable[[Job, Marks], WatchedLoad],
    job: Job,
    pid: int,
    compilers: Sequence[str],
    before: AnswerCost | None,
    most_s: float,
) -> Loaded:
    """Make the load until the server at `pid` neither compiles in it nor gives answers that are
    cheaper than those of the load before; `before` tells that of the warm-up.

    It is made again only while the loads that did not count took less than `most_s`, what another
    start would cost without its load, and once where they took up to twice as much; the last one
    counts, warm or not. Raises what `load` raises.
    """
    threads, tree = NamedThreads(pid, compilers), TreeClock(pid)
    counts = RequestCounts()
    took_s, number, followed = 0.0, 0, 0
    while True:
        if number:
            work_off(pid, threads)
        marks = EDGES if number == 0 else (f"{BEGIN} {number}", f"{END} {number}")
        compiler_s, cpu_s = threads.seconds().ran_s, tree.seconds()
        made = load(replace(job, seed=job.seed + number), marks)
        result = made.result
        compiler_s, cpu_s = threads.seconds().ran_s - compiler_s, tree.seconds() - cpu_s
        counts += result.counts
        followed += result.changes.counts_followed
        took_s += result.elapsed_s
        number += 1
        now = AnswerCost.of(result.counts.ok, cpu_s - compiler_s, result.generator.cpu_seconds)
        warm = compiler_s <= COMPILING * cpu_s and not cheaper(before, now)
        if (
            warm
            or number == MOST
            or took_s > (2 * most_s if number == 1 else most_s)
            # What went wrong once has to be told.
            or result.counts.errors
        ):
            seen_s = compiler_s if compilers else None
            return Loaded(made, counts, followed, number - 1, before, seen_s)
        before = now or before
