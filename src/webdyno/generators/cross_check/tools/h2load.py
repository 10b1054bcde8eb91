"""h2load over HTTP/1.1."""

import re

from webdyno.catalog.loads.load import Arrivals
from webdyno.generators.cross_check.client import Command, ToolResult, url, version_of


class H2load:
    """Of nghttp2. Its `--rps` is a rate for each connection, sent in bursts."""

    name = "h2load"
    pinned = "1.52.0"
    install = "apt-get install nghttp2-client (Debian, Ubuntu)"

    def version(self) -> str | None:
        return version_of("h2load", "--version")

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        return Command(["h2load", "--h1", "-t1", f"-c{connections}", f"-D{seconds}", url(port)])

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        if arrivals != "uniform" or rate < connections:
            return None
        closed = self.closed(port, connections, seconds)
        return Command([*closed.argv, f"--rps={rate / connections}"])

    def parse(self, stdout: str) -> ToolResult:
        done = re.search(r"(\d+) succeeded", stdout)
        time = re.search(r"finished in ([\d.]+)(ms|s)", stdout)
        if not (done and time):
            raise ValueError(f"h2load: no totals in {stdout[-200:]!r}")
        return ToolResult(int(done[1]), float(time[1]) / (1000 if time[2] == "ms" else 1))


TOOL = H2load()
