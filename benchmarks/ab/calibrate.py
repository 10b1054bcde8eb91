"""How much more work is a slow-down of so many percent: measured, without anything of `ab`.

The service as it is and the service with more rounds of hashing run at once, and are loaded in
turns; CPU time is the kernel's count of their processes.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.ab.journal import Journal
from benchmarks.ab.services import Service
from benchmarks.verdicts.ratio import Interval, LogRatio, level_from
from webdyno.ab.proof import scenario_of
from webdyno.catalog.load import Closed
from webdyno.errors import UserError
from webdyno.generators.base import Job
from webdyno.generators.engine import Engine
from webdyno.runtime.machine.place import place
from webdyno.runtime.processes.cpu_time import TreeClock

CALIBRATION = "calibration"

CONNECTIONS = 32
TURN_S = 0.5
ROUGH_TURNS, FINE_TURNS = 15, 40
"""Of each of the two services; a third of them is warm-up."""

CLOSE = 0.1
"""How far, of what is wanted, the slow-down may lie from it."""
TRIES = 3


@dataclass(frozen=True)
class Slower:
    """What `rounds` more do to the CPU time a request."""

    rounds: int
    ratio: Interval
    us: float
    """CPU time of a request as it is, in microseconds."""


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
    """As many rounds as make it slower by `slower`. Raises `UserError` where none do."""
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "service"
        service.build(built)
        # Much more work first: what one round takes is told by a large difference best.
        rough = _measured(service, built, 100, ROUGH_TURNS)
        each = (rough.ratio.ratio - 1) / rough.rounds
        rounds = max(1, round(slower / each)) if each > 0 else 1
        for _ in range(TRIES):
            found = _measured(service, built, rounds, FINE_TURNS)
            seen = found.ratio.ratio - 1
            if abs(seen - slower) <= CLOSE * slower:
                return found
            nearer = max(1, round(rounds * slower / seen)) if seen > 0 else 2 * rounds
            if nearer == rounds:
                return found
            # Half of the way, since what was measured is itself uncertain.
            rounds = max(1, round((rounds + nearer) / 2))
        return found


def _measured(service: Service, built: Path, rounds: int, turns: int) -> Slower:
    usual: list[float] = []
    more: list[float] = []
    with ExitStack() as stack:
        running = [stack.enter_context(service.running(built, n)) for n in (0, rounds)]
        loads = [_Load(service, pid, port, built.parent) for pid, port in running]
        for number in range(turns):
            order = [(loads[0], usual), (loads[1], more)]
            for load, into in order if number % 2 else order[::-1]:
                into.append(load.turn())
    # The rate is what rises while a service warms up.
    first = max(level_from([1 / us for us in usual]), level_from([1 / us for us in more]))
    pairs = list(zip(more, usual, strict=True))[first:]
    ratio = LogRatio.of([math.log(a / b) for a, b in pairs]).interval()
    return Slower(rounds, ratio, _mean(usual[first:]))


class _Load:
    def __init__(self, service: Service, pid: int, port: int, folder: Path) -> None:
        self._clock = TreeClock(pid, refresh_s=0.0)
        described = service.description
        work = scenario_of(described, folder / f"requests-{port}")
        placement = place()
        shape = Closed(
            kind="closed", name="turn", connections=CONNECTIONS, duration=TURN_S
        ).settled(len(placement.generator), len(placement.server))  # fmt: skip
        self._job = Job(
            scenario=work.manifest, load=shape, port=port, cpus=placement.generator, seed=1,
            samples=0,
        )  # fmt: skip

    def turn(self) -> float:
        """CPU time an answer of a turn, in microseconds. Raises `UserError`."""
        before = self._clock.seconds()
        counts = Engine().run(self._job).counts
        if counts.errors or not counts.ok:
            raise UserError(f"{counts.errors} requests failed, {counts.ok} were answered")
        return (self._clock.seconds() - before) * 1e6 / counts.ok


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
