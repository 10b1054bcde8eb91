"""What each machine did where several made a load: stored beside what that yielded."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from webdyno.store.counts import CountsByKind
from webdyno.store.record import Amount, Count, Record, is_none


class OfMachines(Record):
    """Part of it. Times are seconds, rates bytes per second."""

    model_config = ConfigDict(extra="allow")  # Earlier versions kept more of it.


class ClockRecord(OfMachines):
    """A machine's clocks less those of the machine that asks, in seconds, right within the
    uncertainty; see `cluster.link.clock`."""

    offset_s: float
    """Of the monotonic clock."""
    wall_offset_s: float
    """Of the clock that tells the time of day."""
    uncertainty_s: Amount
    """Half of the shortest round trip, in seconds."""
    rtt_min_s: Amount
    """The shortest round trip, in seconds."""
    rtt_median_s: Amount
    """The median round trip, in seconds."""
    samples: Count
    """How often it was asked."""


class RoundTripsRecord(OfMachines):
    """Round-trip times while the load was on; None where none was seen."""

    count: Count = 0
    """How many were seen."""
    median_s: Amount | None = None
    """Seconds."""
    max_s: Amount | None = None
    """Seconds."""


class AgentRecord(OfMachines):
    """A machine that made a part of the load."""

    address: str
    """Of the machine."""
    cores: Count
    """That its threads could use."""
    clock: ClockRecord
    """Before the load."""
    clock_after: ClockRecord | None = None
    """None where the load was cut short."""
    start_late_s: float | None = Field(default=None, exclude_if=is_none)
    """How long after the agreed instant it began, in seconds."""
    started_unix_s: float | None = Field(default=None, exclude_if=is_none)
    """When it began, in seconds since 1970, UTC."""
    counts: CountsByKind | None = Field(default=None, exclude_if=is_none)
    """Its requests by what became of them."""
    throughput_rps: float | None = Field(default=None, exclude_if=is_none)
    """Right answers per second."""
    cpu_share: float | None = Field(default=None, exclude_if=is_none)
    """Of the cores that its threads could use."""
    stolen_share: float | None = Field(default=None, exclude_if=is_none)
    """What its host took of these meanwhile (steal)."""
    paused_share: float | None = Field(default=None, exclude_if=is_none)
    """Part of the periods of a quota in which it was paused; None without one."""
    counters: dict[str, int] | None = Field(default=None, exclude_if=is_none)
    """What its kernel counted on its link meanwhile."""
    turns: int | None = Field(default=None, exclude_if=is_none)
    """How many turns it had, where servers took turns."""
    turns_late_s: float | None = Field(default=None, exclude_if=is_none)
    """By how much it began its turns late, all together, in seconds."""
    worst_turn_late_s: float | None = Field(default=None, exclude_if=is_none)
    """By how much it began its latest turn late, in seconds."""
    rtt_beside: RoundTripsRecord | None = Field(default=None, exclude_if=is_none)
    """Round trips to the machine under load, meanwhile."""


class FaultRecord(OfMachines):
    """Why a part voids the whole load."""

    agent: str
    """Its address."""
    kind: str
    """A word, for machines, such as `dead` or `late`."""
    message: str
    """One line."""


class LinkRecord(OfMachines):
    """One machine's way to the server's, in bytes per second; a capacity of 0 is unknown."""

    address: str
    """Of the machine."""
    up_capacity: float
    """To the server's machine, seen before the load."""
    down_capacity: float
    """From the server's machine, seen before the load."""
    up: float
    """To the server's machine while the load was on."""
    down: float
    """From the server's machine while the load was on."""
    rtt_before_s: float
    """Round-trip time before the load, in seconds."""
    rtt_beside_s: float | None
    """Round-trip time while the load was on, in seconds; null where none was seen."""
    resent_share: float
    """Part of the TCP segments that were sent again."""
    resent: int
    """TCP segments that were sent again."""
    drops: int
    """Packets that its network interface dropped."""


class NetworkRecord(OfMachines):
    """All links, and what they carried at once before the load, by way."""

    links: list[LinkRecord]
    """Each agent's."""
    together_bytes_per_s: dict[str, float]
    """What all of them carried at once before the load, by way."""


class LimitRecord(OfMachines):
    """What limited a load: a word, and the figures in a sentence."""

    kind: str
    """Such as `network`."""
    reason: str
    """One sentence with its figures."""


class MachinesRecord(OfMachines):
    """The machines of one load."""

    server: str
    """Address of the machine under load."""
    agents: list[AgentRecord]
    """The machines that made the load."""
    void: list[FaultRecord]
    """Agents that cannot be believed; any of them voids the load."""
    network: NetworkRecord
    """What links there are, and what they carried."""
    limit: LimitRecord | None
    """What limited the load, where it is known."""
    start_skew_s: float
    """How far apart the agents began, at most, in seconds, the clocks' uncertainty included."""
    overhead_s: float
    """What the load took beside itself, in seconds: to prepare, to agree when to begin, to bring
    home."""
