"""How much more work is a slow-down of so many percent: measured, without anything of `ab`.

The service as it is and the service with more rounds of hashing run at once, and are loaded in
turns; CPU time is the kernel's count of their processes.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from benchmarks.ab.journal import Journal
from benchmarks.ab.services import Service
from benchmarks.verdicts.ratio import Interval, LogRatio, level_from
from webdyno.ab.study.proof import scenario_of
from webdyno.catalog.loads.load import Closed
from webdyno.errors import UserError
from webdyno.generators.engine import Sliced
from webdyno.generators.job import Job
from webdyno.runtime.machine.place import place
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.store.counts import RequestCounts

CALIBRATION = "calibration"

CONNECTIONS = 32
TURN_S = 0.04
"""So that both services meet the same machine, whoever else uses it."""
TURNS = 12
"""Of each service, for one figure of its own."""
ROUGH, FINE = 15, 40
"""Figures of each; a third of them is warm-up."""
LONGEST_S = 3600.0

TOLD_BY = 1.0
"""The slow-down by which a round's cost is told, twice the work: what a few rounds do is no more
than what two starts of the same service differ by."""


@dataclass(frozen=True)
class Slower:
    """What `rounds` more do to the CPU time a request."""

    rounds: int
    ratio: Interval
    us: float
    """CPU time of a request as it is, in microseconds."""

    def at(self, rounds: int) -> Slower:
        """What so many would do: each costs the same."""
        part = rounds / self.rounds
        return Slower(
            rounds, Interval(*(1 + part * (of - 1) for of in astuple(self.ratio))), self.us
        )

    def for_slower(self, slower: float) -> int:
        """The rounds that add `slower` of a request's CPU time; at least one."""
        each = (self.ratio.ratio - 1) / self.rounds
        return max(1, round(slower / each)) if each > 0 else 1


def rounds_for(journal: Journal, language: str, slower: float) -> int:
    """The rounds that add `slower` of a request's CPU time, measured where the file has none."""
    known = journal.lines(CALIBRATION, language=language, slower=slower)
    if known:
        return int(known[-1]["rounds"])
    print(f"{language}: calibrating …", flush=True)
    found = calibrated(Service(language), slower)
    told: dict[str, Any] = {
        "rounds": found.rounds,
        "measured": found.ratio.ratio - 1,
        "low": found.ratio.low - 1,
        "high": found.ratio.high - 1,
        "cpu_us": found.us,
    }
    journal.add(CALIBRATION, language=language, slower=slower, **told)
    return found.rounds


def calibrated(service: Service, slower: float) -> Slower:
    """As many rounds as make it slower by `slower`, and what they do. Raises `UserError`."""
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "service"
        service.build(built)
        rough = _measured(service, built, 100, ROUGH)
        found = _measured(service, built, rough.for_slower(TOLD_BY), FINE)
        return found.at(found.for_slower(slower))


def _measured(service: Service, built: Path, rounds: int, figures: int) -> Slower:
    usual: list[float] = []
    more: list[float] = []
    cpus = place().server
    with ExitStack() as stack:
        running = [stack.enter_context(service.running(built, n, cpus)) for n in (0, rounds)]
        loads = [_Load(service, pid, port, built.parent) for pid, port in running]
        for load in loads:
            stack.callback(load.stop)
        for _ in range(figures):
            for number in range(TURNS):
                for load in loads if number % 2 else loads[::-1]:
                    load.turn()
            usual.append(loads[0].figure())
            more.append(loads[1].figure())
    # The rate is what rises while a service warms up.
    first = max(level_from([1 / us for us in usual]), level_from([1 / us for us in more]))
    pairs = list(zip(more, usual, strict=True))[first:]
    ratio = LogRatio.of([math.log(a / b) for a, b in pairs]).interval()
    return Slower(rounds, ratio, _mean(usual[first:]))


class _Load:
    def __init__(self, service: Service, pid: int, port: int, folder: Path) -> None:
        self._clock = TreeClock(pid, refresh_s=0.0)
        work = scenario_of(service.description, folder / f"requests-{port}")
        placement = place()
        shape = Closed(
            kind="closed", name="turn", connections=CONNECTIONS, duration=LONGEST_S
        ).settled(len(placement.generator), len(placement.server))  # fmt: skip
        self._load = Sliced(
            Job(
                scenario=work.manifest, load=shape, port=port, cpus=placement.generator, seed=1,
                samples=0,
            )
        )  # fmt: skip
        self._counts = RequestCounts()
        self._before = self._clock.seconds(), 0

    def turn(self) -> None:
        """Load the service for a turn."""
        self._load.go_on(TURN_S)
        self._counts = self._load.hold().counts

    def figure(self) -> float:
        """CPU time of an answer since the last call, in microseconds. Raises `UserError`."""
        counts = self._counts
        before_s, before = self._before
        self._before = self._clock.seconds(), counts.ok
        if counts.errors or counts.ok == before:
            raise UserError(f"{counts.errors} requests failed, {counts.ok - before} were answered")
        return (self._before[0] - before_s) * 1e6 / (counts.ok - before)

    def stop(self) -> None:
        """End the load."""
        self._load.stop()


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
