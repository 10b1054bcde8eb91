"""Webdyno's engine, with everything on that a study uses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]

from webdyno.generators.cross_check.client import Answer, Command

SHARES = (0.5, 0.95, 0.99, 0.999)


class Engine:
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
        load = {"kind": "closed", "connections": connections, "duration_s": seconds}
        return self._command(port, load)

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: str
    ) -> Command | None:
        phases = [{"rate": rate, "duration_s": seconds}]
        load = {"kind": "open", "connections": connections, "phases": phases}
        return self._command(port, {**load, "arrivals": arrivals})

    def once(self, port: int) -> Command:
        """A single request: what the process costs beside its load."""
        return self._command(port, {"kind": "iterations", "users": 1, "iterations": 1})

    def _command(self, port: int, load: dict[str, Any]) -> Command:
        return Command(self._program, json.dumps(self._spec(port, load)))

    def _spec(self, port: int, load: dict[str, Any]) -> dict[str, Any]:
        checks = [{"kind": "status", "equals": 200}, {"kind": "equals", "text": "Hello World"}]
        return {
            "target": {"host": "127.0.0.1", "port": port},
            "load": load,
            "cpus": self._cpus,
            "threads": len(self._cpus),
            "requests": [{"name": "hello", "path": "/", "checks": checks}],
            "audit": {"samples": 200},
        }

    def parse(self, stdout: str) -> Answer:
        result = json.loads(stdout)
        histogram = HdrHistogram.decode(result["histograms"]["from_intended"])
        quantiles = {
            share: histogram.get_value_at_percentile(100 * share) / 1e6 for share in SHARES
        }
        return Answer(result["counts"]["ok"], result["elapsed_s"], quantiles)
