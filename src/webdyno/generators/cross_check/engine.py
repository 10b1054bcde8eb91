"""Webdyno's engine, with everything on that a study uses."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hdrh.histogram import HdrHistogram

from webdyno.catalog.loads.load import Arrivals
from webdyno.catalog.scenarios.checks import EqualsCheck, StatusCheck
from webdyno.generators.cross_check.client import Command, ToolResult
from webdyno.generators.specification import (
    AuditSpec,
    ClosedShape,
    IterationsShape,
    LoadSpec,
    OpenShape,
    PhaseSpec,
    RequestSpec,
    Shape,
    TargetSpec,
)

SHARES = (0.5, 0.95, 0.99, 0.999)


class EngineTool:
    """A program that takes a specification on standard input and prints the engine's result."""

    name = "engine"
    pinned = ""
    install = ""

    def __init__(self, program: Sequence[str], cpus: list[int]) -> None:
        """`program`: its command line. One thread for each of `cpus`."""
        self._program = list(program)
        self._cpus = cpus

    def version(self) -> str | None:
        return "this checkout"

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        return self._command(port, ClosedShape(connections=connections, duration_s=seconds))

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        phases = [PhaseSpec(rate=rate, duration_s=seconds)]
        load = OpenShape(phases=phases, arrivals=arrivals, connections=connections)
        return self._command(port, load)

    def once(self, port: int) -> Command:
        """A single request: what the process costs beside its load."""
        return self._command(port, IterationsShape(users=1, iterations=1))

    def _command(self, port: int, load: Shape) -> Command:
        return Command(self._program, self._spec(port, load).json_text())

    def _spec(self, port: int, load: Shape) -> LoadSpec:
        right = EqualsCheck(kind="equals", text="Hello World")
        checks = [StatusCheck(kind="status", equals=200), right]
        return LoadSpec(
            target=TargetSpec(host="127.0.0.1", port=port),
            load=load,
            cpus=self._cpus,
            threads=len(self._cpus),
            requests=[RequestSpec(name="hello", path="/", checks=checks)],
            audit=AuditSpec(samples=200),
        )

    def parse(self, stdout: str) -> ToolResult:
        result = json.loads(stdout)
        histogram = HdrHistogram.decode(result["histograms"]["from_intended"])
        quantiles = {
            share: histogram.get_value_at_percentile(100 * share) / 1e6 for share in SHARES
        }
        return ToolResult(result["counts"]["ok"], result["elapsed_s"], quantiles)
