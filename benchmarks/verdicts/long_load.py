"""What a server does under load for long: lives in turns of seconds, frozen in between.

Apart from starting a server, freezing it and making the load, nothing of what a run does is used:
no warm-up is judged, no trial is assessed, and nothing is concluded but a mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from webdyno.errors import UserError
from webdyno.generators.engine import Sliced
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.progress import TICK_S
from webdyno.runtime.processes.process import LaunchError
from webdyno.trial.folders import TrialFolders
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.starting.awaiting import StartError
from webdyno.trial.starting.start import RunningServer, start
from webdyno.trial.turn_taking.slices import turn
from webdyno.verifier import Mismatch, Probe

SETTLING_S = 0.5
"""Of each turn that does not count: caches are cold, timers fall due, connections that idled for
too long are opened anew."""

SERIES_S = 8.0
"""Length of the windows of the series that is told."""

MOST_ERRORS = 0.01
"""Of all answers: beyond it there is no telling what a rate means."""

Tick = tuple[float, int]
"""End of a window of `TICK_S`, on the load's own clock, and the right answers in it."""


@dataclass
class LongLoad:
    """A server's long load: `rates` of its turns, in answers a second."""

    server: str
    rates: list[float] = field(default_factory=list)
    series: list[float] = field(default_factory=list)
    """The rate in each `SERIES_S`, the settling of each turn included."""
    errors: int = 0
    failed: str = ""
    """Why there is nothing to learn from it; empty where there is."""


def long_loads(plans: Sequence[TrialPlan], seconds: float, turn_s: float) -> dict[str, LongLoad]:
    """Load one life of each server for `seconds` each, in turns of `turn_s`.

    All lives are there at once, and all but one frozen. Every other round has the order of the one
    before reversed. Raises `UserError` for a scenario that needs a service, which would work for
    several servers at once.
    """
    if needing := [plan.scenario.id for plan in plans if plan.services]:
        raise UserError(f"scenario {needing[0]} needs a service; choose one that needs none")
    loads = {plan.server_variant.label: LongLoad(plan.server_variant.label) for plan in plans}
    with ExitStack() as stack:
        lives: list[_Life] = []
        for plan in plans:
            try:
                lives.append(stack.enter_context(_living(plan, seconds)))
            except (StartError, LaunchError, GeneratorError, Mismatch) as error:
                loads[plan.server_variant.label].failed = str(error)
        for number in range(max(1, round(seconds / turn_s))):
            for life in reversed(lives) if number % 2 else lives:
                life.turn(turn_s)
        for life in lives:
            loads[life.label] = life.result()
    return loads


class _Life:
    def __init__(self, plan: TrialPlan, server: RunningServer, load: Sliced) -> None:
        self.label = plan.server_variant.label
        self._server, self._load = server, load
        self._found = LongLoad(self.label)
        self._ticks: list[Tick] = []
        self._answers, self._elapsed_s = 0, 0.0

    def turn(self, seconds: float) -> None:
        progress = turn(self._server.process, self._load, seconds)
        ticks = [(t, ok) for t, ok, _errors in progress.ticks]
        self._ticks += ticks
        self._found.rates.append(rate_of_turn(ticks, self._elapsed_s, seconds))
        self._answers, self._found.errors = progress.counts.ok, progress.counts.errors
        self._elapsed_s = progress.elapsed_s

    def result(self) -> LongLoad:
        found = self._found
        found.series = series(self._ticks)
        if (code := self._server.process.exit_code()) is not None:
            found.failed = f"it ended with {code} under load"
        elif found.errors > MOST_ERRORS * self._answers:
            found.failed = f"{found.errors:,} requests failed beside {self._answers:,} answers"
        elif not all(found.rates):
            found.failed = "it gave no answer for a whole turn"
        return found


def rate_of_turn(ticks: Sequence[Tick], began_s: float, seconds: float) -> float:
    """Answers a second in a turn that began at `began_s`, without its beginning; 0 without any."""
    settled_s = began_s + min(SETTLING_S, seconds / 4)
    counted = [ok for t, ok in ticks if t - TICK_S >= settled_s]
    return sum(counted) / (len(counted) * TICK_S) if counted else 0.0


def series(ticks: Sequence[Tick]) -> list[float]:
    """The rate in each whole `SERIES_S`."""
    width = round(SERIES_S / TICK_S)
    answers = [ok for _t, ok in ticks]
    whole = range(0, len(answers) - width + 1, width)
    return [round(sum(answers[at : at + width]) / SERIES_S) for at in whole]


@contextmanager
def _living(plan: TrialPlan, seconds: float) -> Iterator[_Life]:
    """A server that was started and proven, and is frozen; ended afterwards whatever happened."""
    folders = TrialFolders.make(plan.temporary / f"long-load-{plan.index}")
    verifier = verifier_of(
        plan.scenario, plan.parameters, folders.laid_out, plan.seed, folders.written
    )
    preparation = verifier.prepare()
    server = start(plan, preparation.env, folders)
    try:
        with Probe(f"http://127.0.0.1:{server.port}") as probe:
            verifier.verify(probe)
            verifier.before_load(probe)
        job = Job(
            scenario=plan.scenario.manifest,
            # It is ended by the number of turns, never by itself.
            load=plan.load.model_copy(update={"duration": 2 * seconds + 60.0}),
            port=server.port,
            cpus=plan.placement.generator,
            seed=plan.seed,
            samples=0,
            variables=preparation.variables,
            lookups=preparation.lookups,
        )
        load = Sliced(job)
        try:
            server.process.freeze()
            yield _Life(plan, server, load)
        finally:
            server.process.thaw()
            load.stop()
    finally:
        server.process.stop()
        server.process.end_all()
        server.confinement.close()
