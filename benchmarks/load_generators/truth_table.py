"""What generators with an open load measure of servers whose latencies are known."""

import array
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.load_generators.bench import Bench
from benchmarks.load_generators.tools import Tool
from benchmarks.truth import models
from benchmarks.truth.models import Model
from benchmarks.truth.simulate import QUANTILES, arrivals, quantile, truth_of
from webdyno.catalog.loads.load import Arrivals
from webdyno.runtime.processes import pinned
from webdyno.runtime.processes.pinned import Failed

MANY = 64
# Enough for the rate in the long run, too few for a moment of it.
FEW = {1_000: 4, 20_000: 40}
# One at a time at half its capacity.
SERVICE_US = {1_000: 500, 20_000: 25}


@dataclass(frozen=True)
class Case:
    """A server of known behaviour and the load it gets."""

    model: str
    rate: int
    arrivals: Arrivals
    connections: int

    @property
    def server(self) -> list[str]:
        return [self.model, f"service_us={SERVICE_US[self.rate]}"]

    @property
    def make(self) -> Callable[[], Model]:
        made: dict[str, Callable[[], Model]] = {
            "stall": models.stall,
            "heavy": models.heavy,
            "slow-start": models.slow_start,
            "queue": partial(models.queue, SERVICE_US[self.rate]),
        }
        return made[self.model]


def cases(quick: bool) -> Iterator[Case]:
    """All of them, or for a quick look two."""
    if quick:
        yield Case("stall", 1_000, "uniform", MANY)
        yield Case("stall", 20_000, "poisson", MANY)
        return
    for model in ("stall", "heavy", "queue", "slow-start"):
        for rate in (1_000, 20_000):
            for spacing in ("uniform", "poisson"):
                for connections in (MANY, FEW[rate]):
                    yield Case(model, rate, spacing, connections)


def table(
    bench: Bench, quick: bool, seconds: int, rates: list[int] | None = None
) -> list[dict[str, Any]]:
    """A row for every case and tool: the truth, what was measured, and whether it is near.

    The truth of random arrivals is that of those that the engine draws. A row is judged by what the
    server did, where that is known, and otherwise by the simulation.
    """
    rows = []
    for case in cases(quick):
        if rates and case.rate not in rates:
            continue
        due = _due(bench, case, seconds)
        true = truth_of(due, case.make(), case.connections)
        for tool in _tools(bench, case):
            try:
                row = _measure(bench, case, tool, seconds, due, list(true.values()))
            except (Failed, ValueError, KeyError) as wrong:
                print(f"{tool.name} on {case}: {wrong}", flush=True)
                continue
            rows.append({**vars(case), "tool": tool.name, "truth_ms": list(true.values()), **row})
    return rows


def _tools(bench: Bench, case: Case) -> list[Tool]:
    """The other generators are shown on the case that has become the usual one."""
    usual = case == Case("stall", 1_000, "uniform", MANY)
    return [bench.engine, *(bench.other_generators if usual else [])]


def _due(bench: Bench, case: Case, seconds: int) -> list[float]:
    """Seconds from the load's start at which the engine's requests are due.

    Even distances are computed here, so that they check the engine's; random ones it must tell.
    """
    if case.arrivals == "uniform":
        return arrivals("uniform", case.rate, seconds, seed=0)
    command = bench.engine.open(0, case.connections, seconds, case.rate, case.arrivals)
    assert command is not None
    ended = pinned.run([str(bench.schedule)], {bench.client_cpu}, command.stdin)
    return [int(line) / 1e9 for line in ended.stdout.splitlines()]


def _measure(
    bench: Bench, case: Case, tool: Tool, seconds: int, due: list[float], true: list[float]
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "answered"
        return _measure_logged(bench, case, tool, seconds, due, true, log)


def _measure_logged(
    bench: Bench,
    case: Case,
    tool: Tool,
    seconds: int,
    due: list[float],
    true: list[float],
    log: Path,
) -> dict[str, Any]:
    with bench.server(*case.server, f"log={log}") as port:
        command = tool.open(port, case.connections, seconds, case.rate, case.arrivals)
        if command is None:
            raise Failed("no open load of this kind")
        measured = bench.run(tool, command)
        started = measured.answer.more.get("started_unix_s")
        happened = _happened(due, log, started) if started else None
    quantiles = [measured.answer.quantiles_ms.get(share) for share in QUANTILES]
    asked = case.rate * seconds
    judges = happened or true
    return {
        "measured_ms": quantiles,
        "happened_ms": happened,
        "near": [near(found, judge) for found, judge in zip(quantiles, judges, strict=True)],
        "answered_of_asked": measured.answer.requests / asked,
        "not_sent": measured.answer.more.get("not_sent"),
        "lag_p50_us": measured.answer.more.get("lag_p50_us"),
        "lag_p999_us": measured.answer.more.get("lag_p999_us"),
        "pushed_off": measured.pushed_off,
    }


def _happened(due: list[float], log: Path, started_unix_s: float) -> list[float] | None:
    """Quantiles in ms of what the server did, by its own clock; `None` where that cannot be told.

    On a busy machine the server is late now and then, and the simulation no longer the truth. What
    stays true is when it answered, less when the request was due. All must have been sent for that,
    and in order.
    """
    for _ in range(100):
        if log.exists():
            break
        time.sleep(0.02)
    else:
        return None
    answered = array.array("Q", log.read_bytes())
    if len(answered) != len(due):
        return None
    start = started_unix_s - (time.time_ns() - time.monotonic_ns()) / 1e9
    taken = sorted(at / 1e9 - start - when for at, when in zip(answered, due, strict=True))
    return [1000 * quantile(taken, share) for share in QUANTILES]


def near(found: float | None, true: float) -> bool | None:
    """Within 3%, or 0.3 ms where that is more."""
    return None if found is None else abs(found - true) <= max(0.03 * true, 0.3)
