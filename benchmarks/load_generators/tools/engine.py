"""The engine of the cross-check, with what only a benchmark asks of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from webdyno.generators.cross_check.client import Command, ToolResult
from webdyno.generators.cross_check.engine import EngineTool as CheckedEngine
from webdyno.generators.specification import ClosedShape, Http2Spec, LoadSpec, Shape, TlsSpec


class Engine(CheckedEngine):
    """It may have another reactor, more threads, TLS and HTTP/2, and tells more of itself."""

    def __init__(
        self, program: Sequence[str], cpus: list[int], reactor: str = "auto", threads: int = 1
    ) -> None:
        """`program`: its command line. One thread for each of `cpus`, or `threads` on them."""
        super().__init__(program, cpus)
        self.name = "engine" if reactor == "auto" else f"engine on {reactor}"
        self._reactor = reactor
        self._threads = max(threads, len(cpus))

    def using(self, reactor: str) -> Engine:
        """The same engine with another reactor."""
        return Engine(self._program, self._cpus, reactor, self._threads)

    def on(self, cpus: list[int], threads: int = 1) -> Engine:
        """The same engine on other cores, or with more threads on them."""
        return Engine(self._program, cpus, self._reactor, threads)

    def closed_over(
        self, port: int, connections: int, seconds: int, *, tls: bool, streams: int | None
    ) -> Command:
        """A closed load over TLS, HTTP/2 with so many streams on a connection, or both."""
        spec = self._spec(port, ClosedShape(connections=connections, duration_s=seconds))
        # A benchmark's certificate is made for it, and signed by nobody.
        target = spec.target.model_copy(update={"tls": TlsSpec(insecure=True) if tls else None})
        http2 = None if streams is None else Http2Spec(streams=streams)
        spec = spec.model_copy(update={"target": target, "http2": http2})
        return Command(self._program, spec.json_text())

    def _spec(self, port: int, load: Shape) -> LoadSpec:
        own = {"threads": self._threads, "reactor": self._reactor}
        return super()._spec(port, load).model_copy(update=own)

    def parse(self, stdout: str) -> ToolResult:
        result = json.loads(stdout)
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
        return replace(super().parse(stdout), more=more)
