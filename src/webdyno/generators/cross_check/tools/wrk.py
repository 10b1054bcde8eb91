"""wrk: closed loads only."""

import re

from webdyno.catalog.loads.load import Arrivals
from webdyno.generators.cross_check.client import Command, ToolResult, url, version_of


class WrkTool:
    """https://github.com/wg/wrk"""

    name = "wrk"
    pinned = "4.1.0"
    install = "apt-get install wrk (Debian, Ubuntu)"

    def version(self) -> str | None:
        return version_of("wrk", "-v")

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        return Command(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", url(port)])

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        return None

    def parse(self, stdout: str) -> ToolResult:
        totals = re.search(r"(\d+) requests in ([\d.]+)s", stdout)
        if not totals:
            raise ValueError(f"wrk: no totals in {stdout[-200:]!r}")
        return ToolResult(int(totals[1]), float(totals[2]))


TOOL = WrkTool()
