"""Warm-up: load the server until it is shown to be warm, or until the allowed time is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

from webdyno.catalog.loads.abilities import BUILT_IN
from webdyno.catalog.loads.load import Closed, Iterations, Load, Objective, Open
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.catalog.terms.quantity import Phase, phase_text
from webdyno.generators.engine import Engine, Sliced
from webdyno.generators.generator import Generator
from webdyno.generators.job import Job, fresh_seed
from webdyno.generators.progress import LoadProgress
from webdyno.generators.result import LoadResult
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.processes.process import ManagedProcess
from webdyno.runtime.processes.threads import NamedThreads
from webdyno.store.records import Warmup
from webdyno.trial.events import Listener, LoadWentOn
from webdyno.trial.leftovers import MOST_S, work_off
from webdyno.trial.turn_taking.slices import turn
from webdyno.trial.watching.load_windows import LoadWindows
from webdyno.verdict.steadiness.steady import Steady
from webdyno.verdict.steadiness.warm import AnswerCost, Windows, cheaper, quiet, recompiled, warm

Judge = Callable[[Windows, Bounds], Steady]
"""Says of a load so far whether it may end."""

STILL = 0.5
"""How long a server stands still between two slices of its warm-up, in slices."""

PROBE_CONNECTIONS = 64
"""Enough to keep most servers busy, few enough to queue no longer than they must."""

JUDGE_EVERY = 0.02
"""Part of the warm-up so far that passes between two judgements: the longer it is, the more each
costs."""

AGAIN_S = 1.0
"""The least time of the load on fresh connections where compilers can be seen, and of an open
load's own rate ..."""

FRESH_S = 0.8
"""... and of all others: enough to tell what an answer costs."""


@dataclass(frozen=True)
class ServerOfTrial:
    """The server that is warmed up, on the cores of its trial; `services` are the processes of the
    trial's services."""

    process: ManagedProcess
    placement: Placement
    services: Sequence[int] = ()


class JudgedLoad(NamedTuple):
    """How a load ended, what was seen of it, and what its answers cost."""

    judgement: Steady
    windows: Windows
    cost: AnswerCost | None


def warm_up(
    job: Job,
    bounds: Bounds,
    server: ServerOfTrial,
    listener: Listener,
    *,
    warmed: bool = False,
    ended: Callable[[LoadResult], None] | None = None,
) -> Warmup:
    """Load the server until it is warm; the result says whether it is, and what that took. One that
    was `warmed` under another load only gets this one on fresh connections. Where answers are
    sampled, `ended` is told what each of its loads yielded.

    The load has the measured one's requests, so that what is compiled, cached and allocated is
    what the measurement will use. The engine makes it whatever measures: others tell nothing
    before their end. It is a closed one, before an open load or a search as well, since that does
    the work sooner than a low rate could. It is then repeated on fresh connections, for an open
    load at the rate which that begins with, in slices where the measurement has them, until that
    neither wakes the runtime's compilers nor makes answers cheaper: what clients leave behind may
    decide what the next ones cost. Before the next load the server works off what is left of it.
    CPython on glibc gives its buffers back to the kernel after each answer, at twice the CPU
    time, until connections that come and go have left a gap in its heap. The compilers may also
    use the cores of the other roles meanwhile. Raises `GeneratorError`.
    """
    measured_by = job.load.generator
    job = replace(job, load=as_engine_load(job.load))
    least_s = FRESH_S if not bounds.compilers and not isinstance(job.load, Open) else AGAIN_S
    with _compilers(server.process.pid, bounds, server.placement) as compilers:
        loads = _Loads(job, server, compilers, listener, ended)
        why_again = "no time was left to check it on fresh connections"
        if warmed:
            judgement, before = Steady(True, 0.0, 0.0, "flat"), None
        else:
            judgement, _, before = loads.make(_endless(job.load, bounds.max), bounds, warm)
        while judgement.steady:
            left_s = bounds.max - loads.total.seconds
            if left_s < least_s:
                judgement = replace(judgement, steady=False, kind="never", reason=why_again)
                break
            within = replace(bounds, min=least_s, max=left_s)
            again = _again(job.load, left_s)
            rejudged, windows, cost = loads.make(again, within, quiet, fresh=True)
            why_again = recompiled(windows) or cheaper(before, cost)
            before = cost
            if not rejudged.steady:
                judgement = rejudged
            elif not why_again:
                break
    record = loads.total.record(judgement)
    if measured_by != BUILT_IN:
        # What the engine used for an answer is not to be compared with what another uses.
        record = record.model_copy(update={"steady_generator_us": None})
    return record


class _Loads:
    """The loads of a warm-up, one after the other."""

    def __init__(
        self,
        job: Job,
        server: ServerOfTrial,
        compilers: NamedThreads | None,
        listener: Listener,
        ended: Callable[[LoadResult], None] | None,
    ) -> None:
        self._job, self._server, self._compilers = job, server, compilers
        self._listener, self._ended = listener, ended
        self._comes_to_rest = True
        self.total = self._windows()
        """What was seen of them all."""

    def make(self, shape: Load, bounds: Bounds, judge: Judge, *, fresh: bool = False) -> JudgedLoad:
        """Load until `judge` says that it may end, or out of time; `fresh` where it is the same on
        fresh connections. Then the server works off what is left of it."""
        process, seen = self._server.process, self._windows()
        job = replace(self._job, load=shape, seed=fresh_seed(), record=None)
        if isinstance(shape, Closed | Open) and shape.slice is not None:
            judgement, result = _load_in_slices(job, shape.slice, bounds, judge, seen, process)
        else:
            judgement, result = _load(Engine(), job, bounds, judge, self._listener, seen)
        seen.ended(fresh)
        self.total.extend(seen)
        if result is not None and self._ended is not None:
            self._ended(result)
        # One that uses its cores at rest as well is waited for once.
        if self._comes_to_rest:
            self._comes_to_rest = work_off(process.pid, self._compilers) < MOST_S
        return JudgedLoad(judgement, seen.windows(), seen.warm_cost)

    def _windows(self) -> LoadWindows:
        server = self._server
        return LoadWindows(server.placement, server.process.pid, self._compilers, server.services)


def as_engine_load(load: Load) -> Load:
    """The load as the engine makes it like the generator that `load` names."""
    if load.cookies is None and not load.abilities.figures.keeps_cookies:
        load = load.model_copy(update={"cookies": False})
    return load.model_copy(update={"generator": BUILT_IN})


@contextmanager
def _compilers(pid: int, bounds: Bounds, placement: Placement) -> Iterator[NamedThreads | None]:
    """The threads that compile, on all cores of the trial until the warm-up ends."""
    if not bounds.compilers:
        yield None
        return
    compilers = NamedThreads(pid, bounds.compilers)
    compilers.allow({*placement.server, *placement.generator, *placement.services})
    try:
        yield compilers
    finally:
        compilers.allow(placement.server)


def _load(
    generator: Generator,
    job: Job,
    bounds: Bounds,
    judge: Judge,
    listener: Listener,
    windows: LoadWindows,
) -> tuple[Steady, LoadResult]:
    """Load until warm or out of time.

    What ended it stands: the last window is cut short, and would now and then unsay it.
    """
    due_s = 0.0
    judgement: Steady | None = None

    def watch(progress: LoadProgress) -> bool:
        nonlocal due_s, judgement
        windows.look(progress)
        listener(
            LoadWentOn(
                elapsed_s=progress.elapsed_s, rps=progress.rps, errors=progress.counts.errors
            )
        )
        if judgement is None and progress.elapsed_s >= max(bounds.min, due_s):
            due_s = progress.elapsed_s * (1 + JUDGE_EVERY)
            current = judge(windows.windows(), bounds)
            judgement = current if current.steady else None
        return judgement is not None

    result = generator.run(job, watch)
    return judgement or judge(windows.windows(), bounds), result


def _load_in_slices(
    job: Job,
    slice_s: float,
    bounds: Bounds,
    judge: Judge,
    windows: LoadWindows,
    process: ManagedProcess,
) -> tuple[Steady, LoadResult | None]:
    """The same in turns with nobody: what a runtime has not met before is standing still. What it
    yielded is only known where answers were sampled.

    Nobody is told of its progress, since who listens takes the load for one that never pauses.
    """
    load = Sliced(job)
    process.freeze()
    try:
        done = False
        while not done:
            time.sleep(STILL * slice_s)
            progress = turn(process, load, slice_s)
            windows.look(progress)
            late = progress.elapsed_s >= bounds.max - slice_s
            warm_now = progress.elapsed_s >= bounds.min and judge(windows.windows(), bounds).steady
            done = progress.done or late or warm_now
    finally:
        process.thaw()
        load.stop()
    return judge(windows.windows(), bounds), load.result() if job.samples else None


def _endless(load: Load, seconds: float) -> Load:
    """A closed load of the same users and intensity as `load`, for `seconds`."""
    if isinstance(load, Open | Objective):
        connections = min(load.connections, PROBE_CONNECTIONS)
    else:
        connections = load.users if isinstance(load, Iterations) else load.settled_connections
    return Closed(
        kind="closed",
        connections=connections,
        duration=seconds,
        cookies=load.cookies,
        visits=load.visits,
        threads=load.threads,
        timeout=load.timeout,
    )


def _again(load: Load, seconds: float) -> Load:
    """The load on fresh connections, for `seconds`: an open one at the rate it begins with, one
    that is measured in slices in these."""
    if isinstance(load, Closed):
        return load.model_copy(update={"duration": seconds})
    if not isinstance(load, Open):
        return _endless(load, seconds)
    first_rps = max(load.parsed()[0].rps, 1.0)
    return load.model_copy(update={"phases": [phase_text(Phase(first_rps, None, seconds))]})
