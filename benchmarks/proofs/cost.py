"""What proofs under load cost a server: its CPU time an answer with them beside that without.

One life of a server is loaded again and again, with its state moving and with its state at rest, in
pairs whose order is drawn. What the machine does meanwhile falls on both of a pair alike.
"""

from __future__ import annotations

import random
import shutil
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import comb

from benchmarks.proofs.plans import Pair
from webdyno.catalog.loads.load import Closed
from webdyno.errors import UserError
from webdyno.generators.engine import Engine
from webdyno.generators.job import Job
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.services import RunningService
from webdyno.trial.folders import TrialFolders
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.services import services_folder, start_services, tell
from webdyno.trial.starting.start import start
from webdyno.verifier import Probe

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Median:
    """A median, and the ends of an interval that holds that of all rounds there might be."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Median:
        """By the binomial distribution of how many values lie below it, whatever their own; both
        ends are unbounded where there are too few values for `CONFIDENCE` (under six)."""
        ordered, number = sorted(values), len(values)
        below, rank = 0.0, 0
        while below + comb(number, rank) / 2**number <= (1 - CONFIDENCE) / 2:
            below += comb(number, rank) / 2**number
            rank += 1
        if rank == 0:
            return cls(statistics.median(values), 0.0, float("inf"))
        return cls(statistics.median(values), ordered[rank - 1], ordered[number - rank])


@dataclass
class Cost:
    """Of one server at one scenario: CPU time an answer in each round, in microseconds."""

    pair: Pair
    moving_us: list[float] = field(default_factory=list)
    resting_us: list[float] = field(default_factory=list)
    services_moving_us: list[float] = field(default_factory=list)
    services_resting_us: list[float] = field(default_factory=list)
    changes: int = 0

    def ratio(self) -> Median:
        """Of the server's own CPU time, with proofs to without."""
        return Median.of(_ratios(self.moving_us, self.resting_us))

    def services_ratio(self) -> Median | None:
        """The same of its services', such as a database; None where there are none."""
        if not any(self.services_resting_us):
            return None
        return Median.of(_ratios(self.services_moving_us, self.services_resting_us))


def _ratios(of: Sequence[float], to: Sequence[float]) -> list[float]:
    return [a / b for a, b in zip(of, to, strict=True)]


def cost(plan: TrialPlan, rounds: int, show: Callable[[str], None]) -> Cost:
    """Load one life of the plan's server in so many pairs of loads. Raises `UserError` where its
    scenario has no state that moves, and where it answers wrongly."""
    found = Cost((plan.server_variant.label, plan.scenario.id))
    draw = random.Random()
    with _living(plan) as (job, clocks):
        if job.changes is None or job.changes() is None:
            raise UserError(f"scenario {plan.scenario.id}: no state of it moves under load")
        _load(job, clocks)  # To warm it.
        for number in range(rounds):
            for moves in draw.sample((True, False), 2):
                part = replace(
                    job, seed=job.seed + 2 * number, changes=job.changes if moves else None
                )
                (server_us, services_us), changes = _load(part, clocks)
                (found.moving_us if moves else found.resting_us).append(server_us)
                where = found.services_moving_us if moves else found.services_resting_us
                where.append(services_us)
                found.changes += changes
            show(
                f"{number + 1} of {rounds}  {found.pair[1]}  {found.pair[0]}"
                f"  {found.moving_us[-1]:.2f} us with, {found.resting_us[-1]:.2f} us without"
            )
    return found


Clocks = tuple[TreeClock, list[TreeClock]]


def _load(job: Job, clocks: Clocks) -> tuple[tuple[float, float], int]:
    """CPU time an answer of the server and of its services, in microseconds; and changes made."""
    server, services = clocks
    before = server.seconds(), sum(clock.seconds() for clock in services)
    result = Engine().run(job)
    after = server.seconds(), sum(clock.seconds() for clock in services)
    if result.counts.errors:
        raise UserError(f"it answered wrongly: {result.errors_detail[0].detail}")
    answers = max(1, result.counts.ok)
    server_us, services_us = (1e6 * (b - a) / answers for a, b in zip(before, after, strict=True))
    return (server_us, services_us), result.changes.changes


@contextmanager
def _living(plan: TrialPlan) -> Iterator[tuple[Job, Clocks]]:
    """A server that was started and proven, with its services; all ended afterwards."""
    assert isinstance(plan.load, Closed)
    folders = TrialFolders.make(plan.temporary / f"trial-{plan.index}")
    services: list[RunningService] = []
    try:
        start_services(plan, services_folder(folders.root), services)
        verifier = verifier_of(
            plan.scenario, plan.parameters, folders.laid_out, plan.seed, folders.written
        )
        tell(verifier, services)
        prepared = verifier.prepare()
        server = start(plan, {**verifier.services, **prepared.env}, folders)
        try:
            with Probe(f"http://127.0.0.1:{server.port}") as probe:
                verifier.verify(probe)
                verifier.before_load(probe)
            job = Job(
                scenario=plan.scenario.manifest,
                load=plan.load,
                port=server.port,
                cpus=plan.placement.generator,
                seed=plan.seed,
                variables=prepared.variables,
                lookups={name: dict(bodies) for name, bodies in prepared.lookups.items()},
                changes=verifier.change,
            )
            # Both walk their trees at each look: a load lasts for seconds.
            trees = [TreeClock(service.process.pid, refresh_s=0.0) for service in services]
            yield job, (TreeClock(server.process.pid, refresh_s=0.0), trees)
        finally:
            server.process.stop()
            server.process.end_all()
            server.confinement.close()
    finally:
        for service in services:
            service.stop()
        for folder in (folders.root, services_folder(folders.root)):
            shutil.rmtree(folder, ignore_errors=True)


def table(found: Sequence[Cost]) -> list[str]:
    """As Markdown."""
    lines = ["| scenario | server | rounds | changes | CPU of the server | of its services |"]
    lines += ["|---|---|--:|--:|--:|--:|"]
    for one in found:
        server, scenario = one.pair
        theirs = one.services_ratio()
        lines.append(
            f"| {scenario} | {server} | {len(one.moving_us)} | {one.changes} |"
            f" {_words(one.ratio())} | {_words(theirs) if theirs else '–'} |"
        )
    return lines


def _words(ratio: Median) -> str:
    low, high = (100 * (end - 1) for end in (ratio.low, ratio.high))
    return f"{100 * (ratio.middle - 1):+.2f}% [{low:+.2f}%, {high:+.2f}%]"
