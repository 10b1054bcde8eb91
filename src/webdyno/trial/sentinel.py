"""The sentinel: the same small server under the same load in every block of every run.

Servers of a study come and go between runs, and may change with time. The sentinel does not: what
its figure shows is the machine, from block to block and from run to run.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from webdyno.catalog.load import Closed
from webdyno.catalog.scenario import Request, ScenarioManifest
from webdyno.generators.base import GeneratorError, Job
from webdyno.generators.engine import Engine
from webdyno.runtime.cpu_time import TreeClock
from webdyno.runtime.placement import Placement
from webdyno.runtime.ports import free_port, is_listening
from webdyno.runtime.process import LaunchError, ManagedProcess, plain_environment
from webdyno.store.verdicts import SentinelRecord

PROGRAM = Path(__file__).with_name("sentinel_server.py")
CONNECTIONS = 8
WARM_UP_S, MEASURED_S = 0.2, 0.8
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
    port = free_port()
    try:
        process = ManagedProcess.start(
            [sys.executable, "-I", "-S", str(PROGRAM), str(port)],
            name="sentinel",
            cwd=temporary,
            env=plain_environment(),
            log=temporary / "sentinel.log",
            cpus=placement.server,
        )
    except LaunchError:
        return None
    try:
        while not is_listening(port):
            if process.exit_code() is not None or time.monotonic() - began > START_TIMEOUT_S:
                return None
            time.sleep(0.004)
        Engine().run(_job(port, placement, WARM_UP_S))
        clock = TreeClock(process.pid)
        before = clock.seconds()
        result = Engine().run(_job(port, placement, MEASURED_S))
        spent = clock.seconds() - before
    except GeneratorError:
        return None
    finally:
        process.stop()
    answers = result["counts"]["ok"]
    if not answers:
        return None
    return SentinelRecord(
        block=block,
        throughput_rps=result["throughput_rps"],
        cpu_us_per_request=1e6 * spent / answers,
        seconds=round(time.monotonic() - began, 3),
    )


def _job(port: int, placement: Placement, seconds: float) -> Job:
    load = Closed(kind="closed", connections=CONNECTIONS, duration=seconds)
    return Job(_WORK, load, port, placement.generator, seed=1, samples=0)
