"""A trial's load in slices: between two of them its server stands still, and so do all clocks.

Servers that take turns every tenth of a second meet the same machine, whatever else it does: what
one loses to a neighbour the others lose, too, and their ratio does not show it. Duets (Bulej et al.
2020, ICPE) reach that by running two programs at once, on cores of their own; slices need one core,
and serve any number.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from webdyno._engine import Observer
from webdyno.catalog.load import Closed
from webdyno.generators.base import BEGIN, END, Job, Progress
from webdyno.generators.engine import Sliced
from webdyno.runtime.process import ManagedProcess
from webdyno.store.records import FlagRecord, Measurement
from webdyno.trial import measure
from webdyno.trial.course import Course
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.trial.regime import Regime
from webdyno.verdict.fullness import is_full


def waited_in_turns(measured: Measurement, kind: str) -> list[FlagRecord]:
    """That a server which took turns waited in them after all, by the rule that let it."""
    if kind != "waiting" or measured.generator["slices"] == 1:
        return []
    cpu = measured.cpu["server"]
    core_seconds = max(measured.elapsed_s * cpu.cores, 1e-9)
    others = measured.generator_foreign_cpu_share
    load = measured.cpu.get("generator")
    full = is_full(
        cpu_share=cpu.share,
        ready_thread_share=cpu.busiest_thread_ready_share,
        foreign_share=measured.foreign_cpu_share,
        run_delay_share=(cpu.run_delay_s or 0.0) / core_seconds,
        load_ready_share=load.share + (others or 0.0) if load else None,
        load_delay_share=others,
    )
    return (
        []
        if full
        else [
            FlagRecord(
                code="waited-in-turns",
                message="the server idled during its turns, so turns flatter it; remove `slice`",
            )
        ]
    )


def load_in_slices(
    plan: TrialPlan,
    job: Job,
    regime: Regime,
    process: ManagedProcess,
    observer: Observer,
    listener: Listener,
    course: Course,
    marks: tuple[str, str] = (BEGIN, END),
) -> Generator[None, None, dict[str, Any]]:
    """Make the load between two `marks`, and yield before each turn, for others to have theirs.

    The first time it yields before `regime` is asked for their length. Gives what
    `measure.load_and_watch` gives. Raises `GeneratorError`. A frozen server is thawed whatever
    happens.
    """
    assert isinstance(plan.load, Closed)
    cores = measure.CoresClock(plan)
    over = False

    def edge(name: str) -> None:
        nonlocal over
        observer.mark(marks[0] if name == BEGIN else marks[1])
        if name == BEGIN:
            cores.go_on()
        else:
            over = True
            cores.hold()

    load = Sliced(replace(job, edge=edge))
    slices, done = 0, False
    process.freeze()
    try:
        while not done:
            observer.pause()
            with course.others_turn():
                yield
            turn_s = regime.turn_s(plan.load)
            observer.resume()
            if slices and not over:
                cores.go_on()
            progress = turn(process, load, turn_s)
            cores.hold()
            slices, done = slices + 1, progress.done
            listener(
                "turn",
                entry=plan.entry,
                rps=progress.answers / max(progress.elapsed_s, 1e-9),
                elapsed_s=progress.elapsed_s,
                ticks=progress.ticks,
            )
        return {
            **load.result(),
            **cores.seen(),
            "marked": True,
            "slices": slices,
            "slice_s": turn_s if slices > 1 else None,
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
    process.hold()
    return progress
