"""What every tool file gives: arguments, a version, and what the output means."""

import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Protocol

from webdyno.catalog.loads.load import Arrivals


@dataclass(frozen=True)
class Command:
    """How a tool is started."""

    argv: list[str]
    stdin: str = ""


@dataclass(frozen=True)
class ToolResult:
    """What a tool says it measured. Quantiles are milliseconds by share (0.5, 0.95 …)."""

    requests: int
    elapsed_s: float
    quantiles_ms: dict[float, float] = field(default_factory=dict)
    more: dict[str, float] = field(default_factory=dict)


class Tool(Protocol):
    """A load generator."""

    name: str
    pinned: str
    """The version that the documentation's figures are stated for."""
    install: str
    """How to get that version."""

    def version(self) -> str | None:
        """The installed version, `None` if there is none."""

    def closed(self, port: int, connections: int, seconds: int) -> Command:
        """A closed load on one thread."""

    def open(
        self, port: int, connections: int, seconds: int, rate: int, arrivals: Arrivals
    ) -> Command | None:
        """An open load on one thread, `None` if the tool has none of that kind."""

    def parse(self, stdout: str) -> ToolResult:
        """What the output says."""


def url(port: int) -> str:
    """What every tool asks for."""
    return f"http://127.0.0.1:{port}/"


def version_of(program: str, *arguments: str) -> str | None:
    """The first word with a digit and a dot in what a program says of itself."""
    if shutil.which(program) is None:
        return None
    said = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    words = (said.stdout + said.stderr).replace("/", " ").split()
    # A Debian revision is no part of it.
    dotted = [word for word in words if "." in word and any(c.isdigit() for c in word)]
    return dotted[0].strip("v[]()").split("-")[0] if dotted else None
