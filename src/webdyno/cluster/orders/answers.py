"""What an agent answers: one type for each kind of order in `tasks`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field

from webdyno.cluster.link.counters import Counted
from webdyno.cluster.link.pinger import Pings
from webdyno.cluster.orders.part_result import PartResult
from webdyno.cluster.wire.messages import (
    MOST,
    MOST_LINES,
    BoundedCount,
    BoundedRate,
    BoundedSeconds,
    WireMessage,
)
from webdyno.generators.progress import LoadPhase, LoadProgress, Tick
from webdyno.store.counts import RequestCounts


class AgentAnswer(WireMessage):
    """Any of them; where it has nothing to say, this."""


class Refusal(WireMessage):
    """Why it will not."""

    refused: Annotated[str, Field(max_length=10_000)]


class LinkTried(AgentAnswer):
    """How much a link carried, and how late it was tried."""

    bytes_per_s: BoundedRate
    late_s: float


class RoundTrip(AgentAnswer):
    """The usual round-trip time."""

    rtt_s: BoundedSeconds


class Prepared(AgentAnswer):
    """The cores that its load may use."""

    cores: Annotated[int, Field(ge=1, le=100_000)]


def _possible(counts: RequestCounts) -> RequestCounts:
    if not all(0 <= count <= MOST for count in counts.by_kind().values()):
        raise ValueError("invalid counts")
    return counts


class PartProgress(LoadProgress, AgentAnswer):
    """How far a part of a load is, as a machine says it that may say anything."""

    elapsed_s: BoundedSeconds
    phase: LoadPhase
    done: bool
    counts: Annotated[RequestCounts, AfterValidator(_possible)]
    in_flight: BoundedCount
    ticks: Annotated[Sequence[Tick], Field(max_length=MOST_LINES)] = ()


class Hindered(WireMessage):
    """What kept a machine from its part of a load: in which part of its periods a quota paused
    everything, None without one; and how long its cores were busy, and stolen by its host, in all,
    None where the kernel does not tell."""

    paused_share: Annotated[float, Field(ge=0, le=1)] | None = None
    busy_s: BoundedSeconds | None = None
    stolen_s: BoundedSeconds | None = None


class PartYielded(AgentAnswer):
    """What a part of a load yielded: the engine's result, what the kernel counted meanwhile, how
    late each of its turns began, and what kept its machine from it."""

    result: PartResult
    counters: Counted
    pings: Pings
    turns_late_s: list[float] = Field(default_factory=list, max_length=MOST_LINES)
    hindered: Hindered = Hindered()


Given = TypeVar("Given", bound=AgentAnswer)
