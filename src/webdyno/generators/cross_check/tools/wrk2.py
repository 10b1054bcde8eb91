"""wrk2: an open load of evenly spaced requests, timed in milliseconds."""

import re

from webdyno.catalog.loads.load import Arrivals
from webdyno.generators.cross_check.client import Command, ToolResult, url, version_of

# More than any server here can answer: connections then send as soon as they were answered.
UNLIMITED = 1_000_000
_SHARES = {"50.000": 0.5, "99.000": 0.99, "99.900": 0.999}
_TO_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


class Wrk2:
    """https://github.com/giltene/wrk2, built from its source and installed as `wrk2`.

    It calls itself wrk 4.0.0, has no closed load, and opens a connection every 5 ms, so that
    connections whose turns coincide send together.
    """

    name = "wrk2"
    install = "build it from its source: https://github.com/giltene/wrk2"
    pinned = "4.0.0"

    def version(self) -> str | None:
        return version_of("wrk2", "-v")

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        return self._command(port, connections, seconds, UNLIMITED)

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        if arrivals != "uniform":
            return None
        return self._command(port, connections, seconds, rate)

    def _command(self, port: int, connections: int, seconds: int, rate: int) -> Command:
        options = [f"-c{connections}", f"-d{seconds}s", f"-R{rate}", "--latency"]
        return Command(["wrk2", "-t1", *options, url(port)])

    def parse(self, stdout: str) -> ToolResult:
        totals = re.search(r"(\d+) requests in ([\d.]+)s", stdout)
        if not totals:
            raise ValueError(f"wrk2: no totals in {stdout[-200:]!r}")
        lines = re.findall(r"^ *([\d.]+)% +([\d.]+)(us|ms|s)\s*$", stdout, re.MULTILINE)
        said = {percent: float(value) * _TO_MS[unit] for percent, value, unit in lines}
        quantiles = {share: said[percent] for percent, share in _SHARES.items() if percent in said}
        return ToolResult(int(totals[1]), float(totals[2]), quantiles)


TOOL = Wrk2()
