"""The load that counts, made again in the same life where it shows that the server was not warm.

Compilers that were quiet for seconds may find one more method hot at any moment: HotSpot was seen
to spend a tenth of a second on it, in a measurement of one and a half. Starting and warming up such
a server takes ten seconds and more, so one start is worth several measurements (Kalibera & Jones
2013, ISMM): those in which it compiled, or whose answers were much cheaper than those of the load
before, do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Generator as Coroutine
from dataclasses import dataclass, replace
from typing import Any

from webdyno._engine import Observer
from webdyno.catalog.load import Closed
from webdyno.generators.base import BEGIN, END, Generator, Job
from webdyno.runtime.cpu_time import TreeClock
from webdyno.runtime.process import ManagedProcess
from webdyno.runtime.threads import NamedThreads
from webdyno.store.records import Warmup
from webdyno.trial import measure
from webdyno.trial.assess import COMPILING
from webdyno.trial.course import Course
from webdyno.trial.distinct import counts_followed
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.trial.slices import load_in_slices
from webdyno.verdict.integrity import ERROR_KINDS
from webdyno.verdict.warm import Cost, cheaper

MOST = 6
"""Measurements of one life at the most."""

Marks = tuple[str, str]
"""The observer's marks around a load."""

Load = Callable[[Job, Marks], Coroutine[None, None, dict[str, Any]]]
"""Makes a load between two marks, yielding where others have their turns; gives its result."""


@dataclass(frozen=True)
class Measured:
    """The load that counts. `counts` are those of all loads together, and so is `followed`, of
    counts that were set under load; `repeated` is how many were made before it, `before` what an
    answer of the last of them cost, or of the warm-up, and `compiled_s` the CPU time of the
    server's compilers in it alone."""

    result: dict[str, Any]
    counts: dict[str, int]
    followed: int
    marks: Marks = (BEGIN, END)
    repeated: int = 0
    before: Cost | None = None
    compiled_s: float | None = None


def make_load(
    plan: TrialPlan,
    generator: Generator,
    job: Job,
    process: ManagedProcess,
    observer: Observer,
    listener: Listener,
    course: Course,
) -> Coroutine[None, None, Measured]:
    """Make the load that counts, in turns or in one piece. Raises `GeneratorError`."""
    turns = isinstance(plan.load, Closed) and plan.load.in_turns

    def load(job: Job, marks: Marks) -> Coroutine[None, None, dict[str, Any]]:
        if turns:
            return (
                yield from load_in_slices(
                    plan, job, course.regime, process, observer, listener, course, marks
                )
            )
        return measure.load_and_watch(plan, generator, job, observer, listener, marks)

    warmed = course.warmup
    if turns:
        assert warmed is not None
        course.regime.learn(plan.entry, warmed.full)
    if warmed is None or not warmed.steady or job.record:
        result = yield from load(job, (BEGIN, END))
        return Measured(result, result["counts"], counts_followed(result), before=cost_of(warmed))
    return (
        yield from measure_until_warm(
            load, job, process.pid, plan.warmup.compilers, cost_of(warmed), warmed.seconds
        )
    )


def cost_of(warmed: Warmup | None) -> Cost | None:
    """What an answer cost at the end of a warm-up; None where that is not known."""
    if warmed is None or warmed.steady_cpu_us is None:
        return None
    return Cost(warmed.steady_cpu_us, warmed.steady_generator_us)


def measure_until_warm(
    load: Load,
    job: Job,
    pid: int,
    compilers: Sequence[str],
    before: Cost | None,
    most_s: float,
) -> Coroutine[None, None, Measured]:
    """Make the load until the server at `pid` neither compiles in it nor gives answers that are
    cheaper than those of the load before; `before` tells that of the warm-up.

    It is made again only while the loads that did not count took less than `most_s`, what another
    start would cost; the last one counts, warm or not. Raises what `load` raises.
    """
    threads, tree = NamedThreads(pid, compilers), TreeClock(pid)
    counts: Counter[str] = Counter()
    took_s, number, followed = 0.0, 0, 0
    while True:
        marks = (BEGIN, END) if number == 0 else (f"{BEGIN} {number}", f"{END} {number}")
        compiler_s, cpu_s = threads.seconds()[0], tree.seconds()
        result = yield from load(replace(job, seed=job.seed + number), marks)
        compiler_s, cpu_s = threads.seconds()[0] - compiler_s, tree.seconds() - cpu_s
        counts.update(result["counts"])
        followed += counts_followed(result)
        took_s += float(result["elapsed_s"])
        number += 1
        generator_s = result.get("generator", {}).get("cpu_seconds")
        now = Cost.of(result["counts"]["ok"], cpu_s - compiler_s, generator_s)
        warm = compiler_s <= COMPILING * cpu_s and not cheaper(before, now)
        if (
            warm
            or number == MOST
            or took_s > most_s
            # What went wrong once has to be told.
            or any(result["counts"].get(kind) for kind in ERROR_KINDS)
        ):
            seen_s = compiler_s if compilers else None
            return Measured(result, dict(counts), followed, marks, number - 1, before, seen_s)
        before = now or before
