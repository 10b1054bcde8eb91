"""What each machine did where several made a load: stored beside what that yielded."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from webdyno.store.record import Record


def _is_unknown(value: object) -> bool:
    """Whether it was not seen, or does not apply: then its key is left out."""
    return value is None


class OfMachines(Record):
    """Part of it. Times are seconds, rates bytes per second."""

    model_config = ConfigDict(extra="allow")  # Earlier versions kept more of it.


class ClockRecord(OfMachines):
    """A machine's clocks against those of the machine under load; see `cluster.link.clock`."""

    offset_s: float
    wall_offset_s: float
    uncertainty_s: float
    rtt_min_s: float
    rtt_median_s: float
    samples: int


class RoundTripsRecord(OfMachines):
    """Round-trip times while the load was on; None where none was seen."""

    count: int = 0
    median_s: float | None = None
    max_s: float | None = None


class AgentRecord(OfMachines):
    """A machine that made a part of the load."""

    address: str
    cores: int
    clock: ClockRecord
    clock_after: ClockRecord | None = None
    """None where the load was cut short."""
    start_late_s: float | None = Field(default=None, exclude_if=_is_unknown)
    started_unix_s: float | None = Field(default=None, exclude_if=_is_unknown)
    counts: dict[str, int] | None = Field(default=None, exclude_if=_is_unknown)
    throughput_rps: float | None = Field(default=None, exclude_if=_is_unknown)
    cpu_share: float | None = Field(default=None, exclude_if=_is_unknown)
    """Of the cores that its threads could use."""
    stolen_share: float | None = Field(default=None, exclude_if=_is_unknown)
    """What its host took of these meanwhile (steal)."""
    paused_share: float | None = Field(default=None, exclude_if=_is_unknown)
    """Part of the periods of a quota in which it was paused; None without one."""
    counters: dict[str, int] | None = Field(default=None, exclude_if=_is_unknown)
    """What its kernel counted on its link meanwhile."""
    turns: int | None = Field(default=None, exclude_if=_is_unknown)
    turns_late_s: float | None = Field(default=None, exclude_if=_is_unknown)
    """By how much it began its turns late, all together."""
    worst_turn_late_s: float | None = Field(default=None, exclude_if=_is_unknown)
    rtt_beside: RoundTripsRecord | None = Field(default=None, exclude_if=_is_unknown)


class FaultRecord(OfMachines):
    """Why a part voids the whole load."""

    agent: str
    kind: str
    message: str


class LinkRecord(OfMachines):
    """One machine's way to the server's.

    `up` is from the load's machine to the server's. `up_capacity` and `down_capacity` were seen
    before the load, `up` and `down` while it was on; a capacity of 0 is unknown.
    """

    address: str
    up_capacity: float
    down_capacity: float
    up: float
    down: float
    rtt_before_s: float
    rtt_beside_s: float | None
    resent_share: float
    resent: int
    drops: int


class NetworkRecord(OfMachines):
    """All links, and what they carried at once before the load, by way."""

    links: list[LinkRecord]
    together_bytes_per_s: dict[str, float]


class LimitRecord(OfMachines):
    """What limited a load: a word, and the figures in a sentence."""

    kind: str
    reason: str


class MachinesRecord(OfMachines):
    """The machines of one load."""

    server: str
    agents: list[AgentRecord]
    void: list[FaultRecord]
    network: NetworkRecord
    limit: LimitRecord | None
    start_skew_s: float
    """How far apart the agents began, at most, the clocks' uncertainty included."""
    overhead_s: float
    """What the load took beside itself."""
