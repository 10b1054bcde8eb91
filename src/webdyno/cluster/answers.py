"""What an agent answers: one type for each kind of order in `tasks`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from webdyno.cluster.counters import Counted
from webdyno.cluster.wire import MOST_LINES, Count, Rate, Said, Seconds, Text

PHASES = ("connecting", "ready", "loading", "draining", "done")
"""Of a load, in their order."""


class Answer(Said):
    """Any of them; where it has nothing to say, this."""


class Refusal(Said):
    """Why it will not."""

    refused: Annotated[str, Field(max_length=10_000)]


class LinkTried(Answer):
    """How much a link carried, and how late it was tried."""

    bytes_per_s: Rate
    late_s: float


class RoundTrip(Answer):
    """The usual round-trip time."""

    rtt_s: Seconds


class Prepared(Answer):
    """The cores that its load may use."""

    cores: Annotated[int, Field(ge=1, le=100_000)]


class Progress(Answer):
    """How far a load is, in the engine's words. A tick is a window: its end, right answers, wrong
    ones."""

    elapsed_s: Seconds
    phase: Literal["connecting", "ready", "loading", "draining", "done"]
    done: bool
    counts: dict[Text, Count]
    ok_total: Count
    in_flight: Count
    ticks: list[tuple[float, int, int]] = Field(default_factory=list, max_length=MOST_LINES)


class Pings(Said):
    """Round-trip times beside a load; None where none was seen."""

    count: Count = 0
    median_s: float | None = None
    max_s: float | None = None


class PartYielded(Answer):
    """What a part of a load yielded: the engine's result, what the kernel counted meanwhile, and
    how late each of its turns began."""

    result: dict[str, Any]
    counters: Counted
    pings: Pings
    turns_late_s: list[float] = Field(default_factory=list, max_length=MOST_LINES)


Given = TypeVar("Given", bound=Answer)
