"""A trial's load in slices: between two of them its server stands still, and so do all clocks.

Servers that take turns every tenth of a second meet the same machine, whatever else it does: what
one loses to a neighbour the others lose, too, and their ratio does not show it. Duets (Bulej et al.
2020, ICPE) reach that by running two programs at once, on cores of their own; slices need one core,
and serve any number.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from webdyno.catalog.loads.load import Closed, Open
from webdyno.generators.job import BEGIN, Job
from webdyno.trial.events import TurnEnded
from webdyno.trial.leftovers import work_off
from webdyno.trial.loads.loading import Loaded, Loading, Marks, WatchedLoad
from webdyno.trial.loads.repeated_load import repeated_until_warm
from webdyno.trial.loads.single_user import nearly_all_s, single_user
from webdyno.trial.turn_taking.neighbours import Neighbour
from webdyno.trial.turn_taking.slices import turn
from webdyno.trial.watching.measure import CoresClock
from webdyno.trial.watching.standstill import Standstill


def in_turns(loading: Loading) -> Loaded:
    """Make the load that counts, in turns with others. Raises `GeneratorError`."""
    state, plan = loading.state, loading.plan
    assert state.warmup is not None
    state.regime.learn(plan.entry, state.warmup.full)
    if isinstance(plan.load, Open) and plan.load.slice is not None and not state.regime.note:
        by_one_user = loading.generator.run(single_user(loading.job))
        work_off(loading.process.pid)
        state.regime.learn_alone(plan.entry, nearly_all_s(by_one_user), plan.load.slice)
    process = loading.process
    one = Neighbour(plan.entry, loading.job.port, process.family, plan.site.loads_from_here)
    still = Standstill(process, one, state.regime.neighbours)
    try:
        loaded = repeated_until_warm(loading, partial(load_in_slices, still))
        _await_others(loading, still)
    finally:
        still.end()
        state.flags += still.flags()
    return loaded


def _await_others(loading: Loading, still: Standstill) -> None:
    """Stand still until the others have made this load, too."""
    still.is_done()
    loading.process.freeze()
    loading.process.hold()
    try:
        loading.observer.pause()
        with still.watched():
            loading.state.regime.part(loading.plan.entry, loading.state.pass_on)
        loading.observer.resume()
    finally:
        loading.process.thaw()


def load_in_slices(still: Standstill, loading: Loading, job: Job, marks: Marks) -> WatchedLoad:
    """Make `job`'s load between two `marks`; before each slice, others have their turns.

    They also have one before the regime is asked for the length of the slices: by then it knows
    them all. Gives what `load_and_watch` gives. Raises `GeneratorError`. A frozen server is thawed
    whatever happens; `still` notes what it does meanwhile.
    """
    plan, state, process = loading.plan, loading.state, loading.process
    assert isinstance(plan.load, Closed | Open)
    cores = CoresClock(plan)
    over = False

    def edge(name: str) -> None:
        nonlocal over
        loading.observer.mark(marks[0] if name == BEGIN else marks[1])
        if name == BEGIN:
            cores.go_on()
        else:
            over = True
            cores.hold()

    def begins() -> None:
        loading.observer.resume()
        if slices and not over:
            cores.go_on()

    load = loading.generator.sliced(replace(job, edge=edge))
    slices, done = 0, False
    pauses_s: list[float] = []
    process.freeze()
    process.hold()
    try:
        loading.observer.pause()
        with still.watched(turns=False):
            state.regime.meet(plan.entry, state.pass_on)
        while not done:
            loading.observer.pause()
            stood = time.monotonic()
            with still.watched():
                state.pass_on()
            pauses_s.append(time.monotonic() - stood)
            turn_s = state.regime.turn_s(plan.load)
            progress = turn(process, load, turn_s, begins)
            cores.hold()
            slices, done = slices + 1, progress.done
            loading.listener(
                TurnEnded(
                    entry=plan.entry,
                    rps=progress.counts.ok / max(progress.elapsed_s, 1e-9),
                    elapsed_s=progress.elapsed_s,
                    ticks=progress.ticks,
                )
            )
        return WatchedLoad(
            load.result(),
            cores.so_far(),
            marks,
            slices=slices,
            slice_s=turn_s if slices > 1 else None,
            pauses_s=tuple(pauses_s) if slices > 1 else (),
        )
    finally:
        process.thaw()
        load.stop()
