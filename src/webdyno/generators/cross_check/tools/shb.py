"""shb: io_uring, closed loads only."""

import json

from webdyno.catalog.loads.load import Arrivals
from webdyno.generators.cross_check.client import Command, ToolResult, url, version_of


class Shb:
    """The crate `shb`, the cheapest of the other load generators."""

    name = "shb"
    pinned = "0.6.0"
    install = "cargo install shb --version 0.6.0 --locked"

    def version(self) -> str | None:
        # It has no option that tells its version.
        return self.pinned if version_of("shb", "--help") else None

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        return Command(["shb", "-t1", f"-c{connections}", f"-z{seconds}s", "-j", url(port)])

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        return None

    def parse(self, stdout: str) -> ToolResult:
        result = json.loads(stdout)
        return ToolResult(result["requests"]["ok"], result["durationSeconds"])


TOOL = Shb()
