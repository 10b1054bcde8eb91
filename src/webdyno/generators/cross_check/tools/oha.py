"""oha."""

import json

from webdyno.catalog.loads.load import Arrivals
from webdyno.generators.cross_check.client import Command, ToolResult, url, version_of


class Oha:
    """The crate `oha`. Its open load is evenly spaced only."""

    name = "oha"
    pinned = "1.16.0"
    install = "cargo install oha --version 1.16.0 --locked"

    def version(self) -> str | None:
        return version_of("oha", "--version")

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        quiet = ["--no-tui", "--output-format", "json"]
        return Command(["oha", f"-c{connections}", f"-z{seconds}s", *quiet, url(port)])

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        if arrivals != "uniform":
            return None
        closed = self.closed(port, connections, seconds)
        return Command([*closed.argv[:-1], f"-q{rate}", "--latency-correction", closed.argv[-1]])

    def parse(self, stdout: str) -> ToolResult:
        result = json.loads(stdout)
        said = result["latencyPercentiles"]
        names = {0.5: "p50", 0.95: "p95", 0.99: "p99", 0.999: "p99.9"}
        quantiles = {share: said[name] * 1000 for share, name in names.items() if said[name]}
        requests = sum(result["statusCodeDistribution"].values())
        return ToolResult(requests, result["summary"]["total"], quantiles)


TOOL = Oha()
