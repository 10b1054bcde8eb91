"""A trial's load in slices: between two of them its server stands still, and so do all clocks.

Servers that take turns every tenth of a second meet the same machine, whatever else it does: what
one loses to a neighbour the others lose, too, and their ratio does not show it. Duets (Bulej et al.
2020, ICPE) reach that by running two programs at once, on cores of their own; slices need one core,
and serve any number.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Generator
from typing import Any

from webdyno._engine import Observer
from webdyno.catalog.load import Closed
from webdyno.generators.base import Job, Progress
from webdyno.generators.engine import Sliced
from webdyno.runtime.cpu_time import busy_seconds
from webdyno.runtime.process import ManagedProcess
from webdyno.store.records import FlagRecord, Measurement, Warmup
from webdyno.trial import measure
from webdyno.trial.course import Course
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.verdict.bottleneck import BUSY


def slice_of(load: Closed, warmup: Warmup, cores: int) -> float:
    """The longest that a turn may be, in seconds: the load's slice, but all of it for a server that
    did not fill its cores in the warm-up. What it waits for (a clock, a disk, a delayed
    acknowledgement) comes while it is frozen, too, and would cost it nothing."""
    assert load.slice is not None
    used = [rate * us / 1e6 for (_, rate), us in zip(warmup.ticks, warmup.cpu_us, strict=False)]
    lately = used[len(used) // 2 :]
    # Where others took the core, it was ready all the same: it waited for nothing else.
    ready = warmup.run_delay_s / max(warmup.seconds, 1e-9)
    is_full = bool(lately) and statistics.median(lately) + ready >= BUSY * cores
    return load.slice if is_full else load.duration + load.timeout


def waited_in_turns(measured: Measurement, kind: str) -> list[FlagRecord]:
    """That a server which took turns waited in them after all."""
    if kind != "waiting" or measured.generator["slices"] == 1:
        return []
    return [
        FlagRecord(
            code="waited-in-turns",
            message="it waited in its turns, though not in the warm-up: what it waits for came in "
            "the others' turns, too, and cost it nothing; leave out slice",
        )
    ]


def load_in_slices(
    plan: TrialPlan,
    job: Job,
    slice_s: float,
    process: ManagedProcess,
    observer: Observer,
    listener: Listener,
    course: Course,
) -> Generator[None, None, dict[str, Any]]:
    """Make the load, and yield before each turn of `slice_s`, for others to have theirs.

    Gives what `measure.load_and_watch` gives. Raises `GeneratorError`. A frozen server is thawed
    whatever happens.
    """
    load = Sliced(job)
    server_busy = generator_busy = watched = 0.0
    slices, done = 0, False
    process.freeze()
    try:
        while not done:
            observer.pause()
            with course.others_turn():
                yield
            began = time.monotonic()
            before = busy_seconds(plan.placement.server), busy_seconds(plan.placement.generator)
            observer.resume()
            if not slices:
                observer.mark(measure.BEGIN)
            progress = turn(process, load, slice_s)
            slices, done = slices + 1, progress.done
            server_busy += busy_seconds(plan.placement.server) - before[0]
            generator_busy += busy_seconds(plan.placement.generator) - before[1]
            watched += time.monotonic() - began
            listener("turn", entry=plan.entry, rps=progress.answers / max(progress.elapsed_s, 1e-9))
        observer.mark(measure.END)
        return {
            **load.result(),
            "slices": slices,
            "server_cores_busy_s": server_busy,
            "generator_cores_busy_s": generator_busy,
            "watched_s": watched,
        }
    finally:
        process.thaw()
        load.stop()


def turn(process: ManagedProcess, load: Sliced, seconds: float) -> Progress:
    """Let a frozen server have a slice of its load, and tell how far that is then.

    The server is frozen before the load's clock stands still: what it did after that would be for
    nothing.
    """
    process.thaw()
    progress = load.go_on(seconds)
    process.freeze()
    load.hold()
    return progress
