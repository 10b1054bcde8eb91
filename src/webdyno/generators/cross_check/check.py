"""The engine beside other load generators, in about a minute.

All get the same server, which is always there because the engine brings it: at first one that
answers at once, for what a request costs them; then one that stands still for 200 ms of every 2 s,
for whether they see what its users would. Server and generator have a core each, if there are two.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import webdyno._engine
from webdyno.generators.cross_check import TOOLS, Command, Tool
from webdyno.generators.cross_check.engine import EngineTool
from webdyno.runtime.processes import pinned

CONNECTIONS = 64
CLOSED_S = 1
ROUNDS = 2
RATE = 1000
OPEN_S = 4
SHARES = (0.5, 0.95, 0.99, 0.999)
_LIMIT_S = 30.0

# Loaded by its path: without the package around it a process starts at once.
_IMPORT = """
import importlib.util, json, sys
found = importlib.util.spec_from_file_location('webdyno._engine', sys.argv[1])
engine = importlib.util.module_from_spec(found); found.loader.exec_module(engine)
"""
_RUN = """
load = engine.Load(sys.stdin.read()); load.start()
while not load.wait(1.0): pass
print(load.result())
"""
_SERVE = "engine.serve_known(sys.argv[2])"


@dataclass(frozen=True)
class ComparedGenerator:
    """One generator's figures. What it does not tell, or failed to, is None."""

    name: str
    version: str
    pinned: str
    """The version that the documentation's figures are stated for; empty for the engine."""
    rps: float | None = None
    cpu_us: float | None = None
    """CPU microseconds per answer, of its whole process; the engine's without its Python host's."""
    engine_cpu_ratio: float | None = None
    """The engine's `cpu_us` by this one's, in the same round."""
    peak_bytes: int | None = None
    latency_ms: dict[float, float] = field(default_factory=dict)
    """Quantiles under an open load; empty where it has none."""
    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class CrossCheck:
    """What came of it."""

    compared: list[ComparedGenerator]
    missing: list[Tool]
    truth_ms: dict[float, float]
    """Quantiles of what users would have seen, by simulation."""
    server_cpu: int
    client_cpu: int
    load_average: float


def check(tell: Callable[[str], None]) -> CrossCheck:
    """Measure all that are installed; `tell` is given a word on each step."""
    cpus = sorted(os.sched_getaffinity(0))
    server_cpu, client_cpu = cpus[0], cpus[min(1, len(cpus) - 1)]
    load_average = os.getloadavg()[0]
    others = list(TOOLS.all().values())
    versions = {other.name: other.version() for other in others}
    engine = EngineTool(_python(_RUN), [client_cpu])
    tools: list[Tool] = [engine, *(other for other in others if versions[other.name])]
    figures = {tool.name: _ToolFigures() for tool in tools}
    with pinned.server(_python(_SERVE, "instant"), {server_cpu}) as port:
        for number in range(ROUNDS):
            # The engine comes first in one round and last in the next.
            for tool in tools if number % 2 == 0 else reversed(tools):
                tell(f"{tool.name}: closed load, {CONNECTIONS} connections")
                command = tool.closed(port, CONNECTIONS, CLOSED_S)
                host = engine.once(port) if tool is engine else None
                figures[tool.name].closed(tool, command, client_cpu, host)
    for tool in tools:
        with pinned.server(_python(_SERVE, "stall"), {server_cpu}) as port:
            opened = tool.open(port, CONNECTIONS, OPEN_S, RATE, "uniform")
            if opened is not None:
                tell(f"{tool.name}: {RATE}/s on a server that stalls")
                figures[tool.name].open(tool, opened, client_cpu)
    engine_cpu = figures[engine.name].cpu_us
    return CrossCheck(
        [
            figures[tool.name].compared(
                tool, versions.get(tool.name) or webdyno.__version__, engine_cpu
            )
            for tool in tools
        ],
        [other for other in others if not versions[other.name]],
        stall_truth_ms(RATE, OPEN_S, CONNECTIONS),
        server_cpu,
        client_cpu,
        load_average,
    )


class _ToolFigures:
    """What the runs of one generator yielded; a failed round is a None."""

    def __init__(self) -> None:
        self.cpu_us: list[float | None] = []
        self._rps: list[float] = []
        self._peak_bytes: list[int] = []
        self._latency_ms: dict[float, float] = {}
        self._failures: list[str] = []

    def closed(self, tool: Tool, command: Command, cpu: int, host: Command | None) -> None:
        """`host` does nothing but start and end; what it costs is no part of the load."""
        try:
            start = pinned.run(host.argv, {cpu}, host.stdin, _LIMIT_S) if host else None
            ended = pinned.run(command.argv, {cpu}, command.stdin, _LIMIT_S)
            answer = tool.parse(ended.stdout)
            if answer.requests == 0:
                raise ValueError("no request was answered")
        except (pinned.Failed, ValueError, KeyError, OSError) as wrong:
            self.cpu_us.append(None)
            self._failures.append(f"closed load: {wrong}")
            return
        cpu_s = ended.cpu_s - (start.cpu_s if start else 0.0)
        self.cpu_us.append(cpu_s * 1e6 / answer.requests)
        self._rps.append(answer.requests / answer.elapsed_s)
        self._peak_bytes.append(ended.peak_bytes)

    def open(self, tool: Tool, command: Command, cpu: int) -> None:
        try:
            ended = pinned.run(command.argv, {cpu}, command.stdin, _LIMIT_S)
            self._latency_ms = tool.parse(ended.stdout).quantiles_ms
        except (pinned.Failed, ValueError, KeyError, OSError) as wrong:
            self._failures.append(f"open load: {wrong}")

    def compared(
        self, tool: Tool, version: str, engine_cpu: Sequence[float | None]
    ) -> ComparedGenerator:
        own = [cpu for cpu in self.cpu_us if cpu is not None]
        both = [
            engine / cpu
            for engine, cpu in zip(engine_cpu, self.cpu_us, strict=True)
            if engine is not None and cpu is not None
        ]
        return ComparedGenerator(
            tool.name,
            version,
            tool.pinned,
            rps=statistics.median(self._rps) if self._rps else None,
            cpu_us=statistics.median(own) if own else None,
            engine_cpu_ratio=statistics.median(both) if both else None,
            peak_bytes=max(self._peak_bytes, default=None),
            latency_ms=self._latency_ms,
            failures=tuple(self._failures),
        )


def stall_truth_ms(rate: int, seconds: int, connections: int) -> dict[float, float]:
    """Quantiles of latency in ms, evenly spaced arrivals at the server that stalls.

    Simulated: a due request takes the connection that is free first, and nothing else takes time.
    """
    due = [(number + 0.5) / rate for number in range(rate * seconds)]
    free = [0.0] * connections
    taken = []
    for time in due:
        sent = max(time, free[0])
        answered = _awake(_awake(sent, due[0]) + 0.001, due[0])
        # All take the same time, so that the list stays in order.
        free = [*free[1:], answered]
        taken.append(1000 * (answered - time))
    taken.sort()
    return {share: taken[max(round(share * len(taken)) - 1, 0)] for share in SHARES}


def _awake(time: float, first: float) -> float:
    phase = (time - first) % 2.0
    return time + 1.2 - phase if 1.0 <= phase < 1.2 else time


def _python(body: str, *arguments: str) -> list[str]:
    extension = webdyno._engine.__file__
    return [sys.executable, "-I", "-S", "-c", _IMPORT + body, str(extension), *arguments]
