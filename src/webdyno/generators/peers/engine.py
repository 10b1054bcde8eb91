"""Webdyno's engine, with everything on that a study uses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]

from webdyno.generators.peers.base import Answer, Command

SHARES = (0.5, 0.95, 0.99, 0.999)


class Engine:
    """A program that takes a specification on standard input and prints the engine's result."""

    pinned = ""
    install = ""

    def __init__(
        self, program: Sequence[str], cpus: list[int], reactor: str = "auto", threads: int = 1
    ) -> None:
        """`program`: its command line. One thread for each of `cpus`, or `threads` on them."""
        self.name = "engine" if reactor == "auto" else f"engine on {reactor}"
        self._program = list(program)
        self._cpus = cpus
        self._reactor = reactor
        self._threads = max(threads, len(cpus))

    def using(self, reactor: str) -> Engine:
        """The same engine with another reactor."""
        return Engine(self._program, self._cpus, reactor, self._threads)

    def on(self, cpus: list[int], threads: int = 1) -> Engine:
        """The same engine on other cores, or with more threads on them."""
        return Engine(self._program, cpus, self._reactor, threads)

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

    def closed_over(
        self, port: int, connections: int, seconds: int, *, tls: bool, streams: int | None
    ) -> Command:
        """A closed load over TLS, HTTP/2 with so many streams on a connection, or both."""
        load = {"kind": "closed", "connections": connections, "duration_s": seconds}
        # A benchmark's certificate is made for it, and signed by nobody.
        security = {"insecure": True} if tls else None
        http2 = None if streams is None else {"streams": streams}
        return self._command(port, load, tls=security, http2=http2)

    def _command(
        self,
        port: int,
        load: dict[str, Any],
        tls: dict[str, Any] | None = None,
        http2: dict[str, Any] | None = None,
    ) -> Command:
        checks = [{"kind": "status", "equals": 200}, {"kind": "equals", "text": "Hello World"}]
        spec = {
            "target": {"host": "127.0.0.1", "port": port, "tls": tls},
            "http2": http2,
            "load": load,
            "cpus": self._cpus,
            "threads": self._threads,
            "reactor": self._reactor,
            "requests": [{"name": "hello", "path": "/", "checks": checks}],
            "audit": {"samples": 200},
        }
        return Command(self._program, json.dumps(spec))

    def parse(self, stdout: str) -> Answer:
        result = json.loads(stdout)
        histogram = HdrHistogram.decode(result["histograms"]["from_intended"])
        quantiles = {
            share: histogram.get_value_at_percentile(100 * share) / 1e6 for share in SHARES
        }
        generator, lag = result["generator"], result["send_lag_us"]
        more = {
            **{kind: float(count) for kind, count in result["counts"].items()},
            "started_unix_s": result["started_unix_s"],
            "lag_p50_us": lag["p50"],
            "lag_p999_us": lag["p999"],
            "load_cpu_us": generator["cpu_us_per_request"],
            "user_share": generator["cpu_user_s"] / max(generator["cpu_seconds"], 1e-9),
        }
        if tls := result["tls"]:
            done = tls["full_handshakes"] + tls["resumed_handshakes"]
            more["handshake_cpu_us"] = tls["handshake_cpu_us"]
            more["resumed_share"] = tls["resumed_handshakes"] / max(done, 1)
        return Answer(result["counts"]["ok"], result["elapsed_s"], quantiles, more)
