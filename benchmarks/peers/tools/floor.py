"""The floor client of `programs/`: nothing over epoll costs less."""

import json
from pathlib import Path

from webdyno.generators.peers.base import Answer, Command


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
        options = {"port": port, "connections": connections, "seconds": seconds}
        return Command([str(self._program), *(f"{key}={value}" for key, value in options.items())])

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: str
    ) -> Command | None:
        return None

    def parse(self, stdout: str) -> Answer:
        result = json.loads(stdout)
        return Answer(result["requests"], result["elapsed_s"])
