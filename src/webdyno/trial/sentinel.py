"""The sentinel: the same small server under the same load in every block of every run.

Servers of a study come and go between runs, and may change with time. The sentinel does not: what
its figure shows is the machine, from block to block and from run to run.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.request import Request
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.engine import Engine, Sliced
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.ports import free_port, is_listening
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.process import LaunchError, ManagedProcess, plain_environment
from webdyno.store.verdicts import SentinelRecord
from webdyno.trial.turn_taking.slices import turn

PROGRAM = Path(__file__).with_name("sentinel_server.py")
CONNECTIONS = 8
WARM_UP_S, MEASURED_S = 0.2, 0.8
SLICE_S = 0.1
START_TIMEOUT_S = 10.0

_WORK = ScenarioManifest(
    name="sentinel",
    title="The sentinel",
    description="A fixed piece of work and a fixed answer.",
    requests=[Request(name="ok", path="/")],
)


def run_sentinel(placement: Placement, block: int, temporary: Path) -> SentinelRecord | None:
    """Measure the sentinel once, in about 1.2 s; None where it could not be measured."""
    began = time.monotonic()
    try:
        with _warm(placement, temporary) as (process, port):
            clock = TreeClock(process.pid)
            before = clock.seconds()
            result = Engine().run(_job(port, placement, MEASURED_S))
            spent = clock.seconds() - before
    except (LaunchError, GeneratorError):
        return None
    answers = result.counts.ok
    if not answers:
        return None
    return SentinelRecord(
        block=block,
        throughput_rps=result.throughput_rps,
        cpu_us_per_request=1e6 * spent / answers,
        seconds=round(time.monotonic() - began, 3),
    )


def twins_apart(placement: Placement, temporary: Path) -> float | None:
    """The logarithm of the ratio of two sentinels that were started anew and took turns, in about
    2.2 s: what two equal servers differ by here. None where they could not be measured."""
    rates: list[float] = []
    try:
        with ExitStack() as started:
            twins = []
            for _ in range(2):
                process, port = started.enter_context(_warm(placement, temporary))
                process.freeze()
                load = Sliced(_job(port, placement, MEASURED_S))
                started.callback(load.stop)
                twins.append((process, load))
            waiting = list(twins)
            while waiting:
                for process, load in list(waiting):
                    if turn(process, load, SLICE_S).done:
                        waiting.remove((process, load))
                waiting.reverse()
            rates = [load.result().throughput_rps for _, load in twins]
    except (LaunchError, GeneratorError):
        return None
    return math.log(rates[0] / rates[1]) if all(rates) else None


@contextmanager
def _warm(placement: Placement, temporary: Path) -> Iterator[tuple[ManagedProcess, int]]:
    """A sentinel's process and port, ready to be measured; it is ended afterwards.

    Raises `LaunchError` or `GeneratorError`.
    """
    port = free_port()
    process = ManagedProcess.start(
        [sys.executable, "-I", "-S", str(PROGRAM), str(port)],
        name="sentinel",
        cwd=temporary,
        env=plain_environment(),
        log=temporary / "sentinel.log",
        cpus=placement.server,
    )
    try:
        began = time.monotonic()
        while not is_listening(port):
            if process.exit_code() is not None or time.monotonic() - began > START_TIMEOUT_S:
                raise LaunchError("sentinel: does not listen")
            time.sleep(0.004)
        Engine().run(_job(port, placement, WARM_UP_S))
        yield process, port
    finally:
        process.stop()


def _job(port: int, placement: Placement, seconds: float) -> Job:
    load = Closed(kind="closed", connections=CONNECTIONS, duration=seconds)
    return Job(_WORK, load, port, placement.generator, seed=1, samples=0)
