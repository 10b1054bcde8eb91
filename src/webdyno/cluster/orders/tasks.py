"""What an agent can be told to do: each order is a type, and so is its answer (`answers`)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from webdyno.cluster.link.throughput import LONGEST_S
from webdyno.cluster.wire.messages import BoundedCount, BoundedSeconds, BoundedText, Port
from webdyno.generators.specification import LoadSpec, TargetSpec


class Task(BaseModel):
    """An order. Nothing may stand in it that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class OfLoad(Task):
    """Of the load with this number."""

    load: BoundedCount


class ToServer(Task):
    """With the keeper of the machine under load."""

    server: BoundedText
    port: Port


class SayReady(Task):
    """Say that you are there."""

    do: Literal["ready"] = "ready"


class Work(Task):
    """Start the process that does a study's work; `port` is where it is dialled."""

    do: Literal["work"] = "work"
    port: Port


class TryLink(ToServer):
    """Try the link for so long, from an instant of the agent's monotonic clock on."""

    do: Literal["link"] = "link"
    way: Literal["up", "down"]
    seconds: Annotated[float, Field(gt=0, le=LONGEST_S)]
    at_ns: int = 0


class RoundTrips(ToServer):
    """Measure the round-trip time."""

    do: Literal["rtt"] = "rtt"
    samples: Annotated[int, Field(ge=1, le=10_000)]


class TryTarget(Task):
    """Open a connection to what a load is for, and close it."""

    do: Literal["target"] = "target"
    target: TargetSpec


class Prepare(OfLoad):
    """Open the connections of a part of a load, and wait."""

    do: Literal["prepare"] = "prepare"
    spec: LoadSpec


class Begin(OfLoad, ToServer):
    """Begin at an instant; with `turn_s`, stand still again after so long."""

    do: Literal["begin"] = "begin"
    at_ns: int
    ping_s: Annotated[float, Field(gt=0, le=60)]
    turn_s: BoundedSeconds | None = None


class TakeTurn(OfLoad):
    """Let a load that stands still go on for so long, from an instant on."""

    do: Literal["turn"] = "turn"
    at_ns: int
    seconds: BoundedSeconds


class Turned(OfLoad):
    """Say how far the load is at the end of its turn."""

    do: Literal["turned"] = "turned"


class HowFar(OfLoad):
    """Say how far the load is: now, or after `wait_s` or its end."""

    do: Literal["state"] = "state"
    wait_s: Annotated[float, Field(ge=0, le=60)] = 0.0


class Pause(OfLoad):
    """Let the load stand still."""

    do: Literal["pause"] = "pause"


class Resume(OfLoad):
    """Let it go on."""

    do: Literal["resume"] = "resume"


class ChangeState(OfLoad):
    """The server's state changes as `spec` says; without it, it has changed."""

    do: Literal["change"] = "change"
    spec: str | None


class Stop(OfLoad):
    """End the load early."""

    do: Literal["stop"] = "stop"


class GiveResult(OfLoad):
    """Say what the load yielded."""

    do: Literal["result"] = "result"


AnyTask = (
    SayReady | Work | TryLink | RoundTrips | TryTarget | Prepare | Begin | TakeTurn | Turned
    | HowFar | Pause | Resume | ChangeState | Stop | GiveResult
)  # fmt: skip


class Order(BaseModel):
    """A task on its way: for whom, from whom, and the number that makes it good once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    to: BoundedText
    giver: BoundedText
    number: Annotated[int, Field(ge=1)]
    task: Annotated[AnyTask, Field(discriminator="do")]
