"""autocannon."""

import json

from webdyno.catalog.loads.load import Arrivals
from webdyno.generators.cross_check.client import Command, ToolResult, url, version_of


class AutocannonTool:
    """https://github.com/mcollina/autocannon. It knows no p95."""

    name = "autocannon"
    pinned = "9.0.0"
    install = "npm install -g autocannon@9.0.0"

    def version(self) -> str | None:
        return version_of("autocannon", "--version")

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        return Command(["autocannon", "-j", f"-c{connections}", f"-d{seconds}", url(port)])

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        if arrivals != "uniform":
            return None
        closed = self.closed(port, connections, seconds)
        return Command([*closed.argv[:-1], f"-R{rate}", closed.argv[-1]])

    def parse(self, stdout: str) -> ToolResult:
        result = json.loads(stdout)
        latency = result["latency"]
        quantiles = {0.5: latency["p50"], 0.99: latency["p99"], 0.999: latency["p99_9"]}
        return ToolResult(result["2xx"], result["duration"], quantiles)


TOOL = AutocannonTool()
