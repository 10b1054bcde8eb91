"""The floor client of `programs/`: nothing that waits as it does costs less."""

import json
from pathlib import Path

from webdyno.generators.cross_check.client import Command, ToolResult


class Floor:
    """Sends a prebuilt request and counts bytes."""

    name = "floor"
    pinned = ""
    install = ""

    def __init__(self, program: Path) -> None:
        self._program = program

    def version(self) -> str | None:
        return "this checkout"

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        return self._command(port=port, connections=connections, seconds=seconds)

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: str
    ) -> Command | None:
        """At even distances; it knows no other arrivals."""
        if arrivals != "uniform":
            return None
        return self._command(port=port, connections=connections, seconds=seconds, rate=rate)

    def parse(self, stdout: str) -> ToolResult:
        result = json.loads(stdout)
        return ToolResult(result["requests"], result["elapsed_s"])

    def _command(self, **options: int) -> Command:
        return Command([str(self._program), *(f"{key}={value}" for key, value in options.items())])
