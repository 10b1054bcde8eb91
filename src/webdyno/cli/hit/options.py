"""The options of `hit`, as they were typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

CLOSED_CONNECTIONS = 64
OPEN_CONNECTIONS = 256
"""An open load has more: a connection that waits for its answer cannot send what falls due."""

MOST_ITERATIONS = 2**63 - 1
"""As in studies; named here, since to read of those takes long."""

DURATION = "10s"

STEP = "2s"
"""How long a step of a search is, as in studies."""

ERRORS, TOLERANCE = "< 0.1%", "5%"


class Reactor(StrEnum):
    """What drives the engine's sockets. With `auto`, `WEBDYNO_REACTOR` may choose."""

    auto = "auto"
    epoll = "epoll"
    io_uring = "io_uring"


@dataclass(frozen=True)
class Options:
    """What was typed; None stands for an option that was not given."""

    connections: int | None = None
    duration: str | None = None
    threads: int | None = None
    cpus: str | None = None
    rate: str | None = None
    phases: str | None = None
    poisson: bool = False
    users: int | None = None
    iterations: int | None = None
    objective: str | None = None
    errors: str | None = None
    tolerance: str | None = None
    max_rate: str | None = None
    headers: list[str] = field(default_factory=list)
    body: str | None = None
    method: str | None = None
    message: str | None = None
    echo: bool = False
    timeout: str = "10s"
    seed: int | None = None
    allow_remote: bool = False
    http2: bool = False
    streams: int | None = None
    insecure: bool = False
    cacert: Path | None = None
    reactor: Reactor = Reactor.auto
    record: str | None = None
