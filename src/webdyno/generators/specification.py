"""The specification of a load, as the engine reads it (see engine/spec).

These types go as JSON to the engine, here or on other machines, and nowhere is it put together by
hand. Where a scenario's manifest has the same part, a variable or a check, it is the manifest's.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticSerializationError

from webdyno.catalog.loads.load import Arrivals, Closed, Iterations, Load, Open
from webdyno.catalog.scenarios.checks import Check
from webdyno.catalog.scenarios.variables import Variable
from webdyno.catalog.terms.quantity import Phase
from webdyno.errors import UserError


class Specified(BaseModel):
    """Part of a specification; one that the engine would not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TlsSpec(Specified):
    """What is asked of the server's certificate: any will do, or one that the authorities in a PEM
    file vouch for; the system's, where none is given."""

    insecure: bool = False
    ca_file: str | None = None


class TargetSpec(Specified):
    """Where the requests go. `host_header` is given where it differs from `host:port`."""

    host: str
    port: int
    host_header: str | None = None
    tls: TlsSpec | None = None


class Http2Spec(Specified):
    """How HTTP/2 is spoken: so many requests at once on each connection."""

    streams: int = 1


class PhaseSpec(Specified, use_attribute_docstrings=True):
    """A span of an open load."""

    rate: float
    """Requests per second, at the start."""
    to_rate: float | None = None
    """At the end, reached linearly; null for a constant rate."""
    duration_s: float
    """Seconds."""

    @classmethod
    def of(cls, phase: Phase) -> PhaseSpec:
        """As the engine takes it."""
        return cls(rate=phase.rps, to_rate=phase.to_rps, duration_s=phase.duration_s)


class ClosedShape(Specified, use_attribute_docstrings=True):
    """Each connection sends its next request when the last one is answered, for a time."""

    kind: Literal["closed"] = "closed"
    connections: int
    """That are open at once."""
    duration_s: float
    """Seconds."""

    def seconds(self) -> float | None:
        """How long it loads."""
        return self.duration_s


class OpenShape(Specified, use_attribute_docstrings=True):
    """Requests fall due by the clock, whatever the server does."""

    kind: Literal["open"] = "open"
    phases: list[PhaseSpec]
    """One after the other."""
    arrivals: Arrivals = "uniform"
    """Evenly spaced, or at random."""
    connections: int
    """At most."""

    def seconds(self) -> float | None:
        """How long it loads."""
        return sum(phase.duration_s for phase in self.phases)


class IterationsShape(Specified, use_attribute_docstrings=True):
    """Each user sends so many requests, one after the other."""

    kind: Literal["iterations"] = "iterations"
    users: int
    """Each with a connection of its own."""
    iterations: int
    """Of each user."""

    @property
    def connections(self) -> int:
        """One for each user."""
        return self.users

    @property
    def requests(self) -> int:
        """Of all users."""
        return self.users * self.iterations

    def seconds(self) -> float | None:
        """Unknown beforehand: the server decides."""
        return None


Shape = Annotated[ClosedShape | OpenShape | IterationsShape, Field(discriminator="kind")]
"""How the requests arrive."""


def shape_of(load: Load) -> Shape:
    """A study's load in the engine's terms; a search is none, but each of its steps is."""
    if isinstance(load, Closed):
        return ClosedShape(connections=load.settled_connections, duration_s=load.duration)
    if isinstance(load, Iterations):
        return IterationsShape(users=load.users, iterations=load.iterations)
    assert isinstance(load, Open)
    phases = [PhaseSpec.of(phase) for phase in load.parsed()]
    return OpenShape(phases=phases, arrivals=load.arrivals, connections=load.connections)


class DistinctSpec(Specified):
    """What tells one answer from another."""

    after: list[str]
    any_order: bool = False


def _is_unused(value: object) -> bool:
    """Whether a key says nothing: it is left out, so that engines that do not know it read on."""
    return value is None or value is False


class RequestSpec(Specified):
    """A request template, and what its answers must fulfil to count.

    With `websocket` it is a `message`, on a connection that `path` and `headers` have upgraded.
    """

    name: str
    method: str = "GET"
    path: str
    headers: list[tuple[str, str]] = Field(default_factory=list)
    body: str | None = None
    websocket: bool = Field(default=False, exclude_if=_is_unused)
    message: str | None = Field(default=None, exclude_if=_is_unused)
    checks: list[Check] = Field(default_factory=list)
    distinct: DistinctSpec | None = None


class AuditSpec(Specified):
    """How many answers are kept in full, and how much of each."""

    samples: int = 0
    max_body_bytes: int = 256 * 1024


class PartSpec(Specified):
    """Which part of a load is made here, where several engines make it: of so many, from 0 on."""

    index: int
    of: int


class LoadSpec(Specified):
    """A whole load. No `cpus` leaves its threads to the kernel; after `visits` requests a user is
    replaced by one without cookies; `record` is a file for a line about each request. One that is
    `held` opens its connections and waits to be told when to begin."""

    target: TargetSpec
    load: Shape
    threads: int = 1
    cpus: list[int] = Field(default_factory=list)
    timeout_s: float = 10.0
    seed: int = 1
    cookies: bool = False
    visits: int | None = None
    order: Literal["sequence", "random"] = "sequence"
    variables: dict[str, Variable] = Field(default_factory=dict)
    requests: list[RequestSpec]
    audit: AuditSpec = AuditSpec()
    http2: Http2Spec | None = None
    record: str | None = None
    allow_remote: bool = False
    reactor: Literal["auto", "epoll", "io_uring"] = "auto"
    part: PartSpec | None = Field(default=None, exclude_if=_is_unused)
    held: bool = Field(default=False, exclude_if=_is_unused)

    def json_text(self) -> str:
        """As the engine takes it. Raises `UserError` for what is not UTF-8."""
        try:
            return self.model_dump_json()
        except PydanticSerializationError:
            raise UserError("the request is not valid UTF-8; write it in UTF-8") from None
