"""What one trial measured, and its warm-up.

Units are in the names: seconds `_s` or `_seconds`, microseconds `_us`, bytes `_bytes`, requests per
second `_rps`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from webdyno.store.counts import RequestCounts
from webdyno.store.load_machines import MachinesRecord
from webdyno.store.record import Amount, Count, Record, Shown, known


class Latency(Record):
    """Quantiles of the latency of accepted answers, in microseconds."""

    p50: Amount
    """Median."""
    p90: Amount
    """90th percentile."""
    p99: Amount
    """99th percentile."""
    p999: Amount
    """99.9th percentile."""
    max: Amount
    """The longest."""
    mean: Amount
    """Arithmetic mean."""
    min: Amount = 0.0
    """The shortest."""


class LatencyWithLost(Record):
    """Quantiles of the latency of every request that was due, in microseconds, where one without a
    correct answer took for ever: null where a quantile falls among those."""

    p50: Amount | None = None
    """Median."""
    p90: Amount | None = None
    """90th percentile."""
    p99: Amount | None = None
    """99th percentile."""
    p999: Amount | None = None
    """99.9th percentile."""
    lost: Count = 0
    """Requests that were due and got no correct answer."""


class RequestRecord(Record):
    """The requests of one name."""

    name: str
    """As its scenario calls it; of `hit`, its path."""
    counts: dict[str, Count]
    """Those sent, by what became of them."""
    latency_us: Latency | None = None
    """Of correct answers from the intended send, in microseconds; null without any."""


class CpuUse(Record):
    """CPU a role spent during the measured interval.

    `share` is CPU seconds divided by (wall seconds x cores the role was given): 1.0 means all of
    them were busy throughout. `run_delay_s` is the time its threads were runnable but waited for
    a core; None where the kernel does not say.
    """

    user_s: Amount
    system_s: Amount
    cores: Amount
    share: Amount
    run_delay_s: Amount | None = None
    busiest_thread_share: Amount | None = None
    """Part of the time that its busiest thread ran; None where threads could not be told apart."""
    busiest_thread_ready_share: Amount | None = None
    """Part of the time that one of its threads ran or waited for a core, at most."""


class Memory(Record):
    """Resident memory of the server's process tree, in bytes (PSS where the kernel gives it, with
    what is swapped out).

    `start`: at its first answer; None in records that do not hold it. `idle`: after the proof,
    before any load. `mean` and `peak`: under the load.
    """

    start: Amount | None = None
    idle: Amount
    mean: Amount
    peak: Amount
    peak_rss: Amount | None = None
    kind: Literal["pss", "rss"] = "rss"


class Warmup(Record):
    """The warm-up: `ticks` are [seconds, answers per second] windows; `steady_after_s` is None
    where the server was not shown to be steady within the allowed time. `kind` says how it ended,
    `reason` what was missing: see `verdict.steadiness.steady.Steady`."""

    seconds: Amount
    steady: bool
    steady_after_s: Amount | None = None
    kind: str = ""
    reason: str = ""
    answers: Count | None = None
    """Answers it gave meanwhile."""
    cpu_s: Amount | None = None
    """CPU time the server used, that of its compilers included."""
    compiler_s: Amount | None = None
    """CPU time of the threads that compile; None where they cannot be told from others."""
    steady_cpu_us: Amount | None = None
    """CPU time per answer once it was steady, without that of its compilers."""
    steady_generator_us: Amount | None = None
    """The load generator's CPU time per answer meanwhile, by which changes of the machine show."""
    ticks: list[tuple[float, float]] = Field(default_factory=list)
    cpu_us: list[float] = Field(default_factory=list)
    """The server's CPU time per answer in each of `ticks`; empty where it could not be read."""
    run_delay_s: Amount = 0.0
    """How long the server's threads were ready but had no core."""
    full: bool | None = None
    """Whether the server kept its cores, or a thread of its own, busy towards the end of it; None
    where that was not asked."""


class SecondOfLoad(Record):
    """One second (the last may be shorter) of the measured load."""

    second: Count
    """Since the start."""
    offered: Count = 0
    """Requests that fell due."""
    sent: Count = 0
    """Requests that were sent."""
    ok: Count
    """Right answers."""
    errors: Count
    """Requests that failed."""
    p50_us: Amount | None = None
    """Median latency of the second's correct answers, in microseconds."""
    p90_us: Amount | None = None
    """Its 90th percentile; null where it is not told."""
    p95_us: Amount | None = None
    """Its 95th percentile; null where it is not told."""
    p99_us: Amount | None = None
    """Its 99th percentile."""
    max_us: Amount | None = None
    """The longest."""
    bytes: Count = 0
    """Received."""


class Observation(Record):
    """One sample of a process tree, `t_s` seconds from the start of the measurement."""

    t_s: float
    cpu_share: float
    memory_bytes: float
    threads: int
    processes: int


class ErrorDetail(Record):
    """Requests that failed alike."""

    kind: str
    """As in `counts`."""
    request: str | None = None
    """The name of the request; null where none was sent."""
    detail: str = ""
    """What was wrong."""
    count: Count = 0
    """How often."""


class GeneratorTold(BaseModel):
    """What a generator tells of its making a load, which is recorded as it tells it; None where it
    does not."""

    reactor: str | None = None
    cpu_seconds_by_thread: list[float] | None = None
    table: dict[str, Any] | None = None
    """The tool's own, in its own words."""
    behind_share: float | None = None
    """The largest part of all arrivals by which it was behind its schedule."""
    late_own: int | None = None
    """Requests sent over 1 ms after their time, because the generator was held up."""
    late_waited: int | None = None
    """The same, because every connection was busy."""

    def own_fields(self) -> dict[str, Any]:
        """These fields alone, by name."""
        return {name: getattr(self, name) for name in GeneratorTold.model_fields}


class GeneratorFigures(GeneratorTold, Record):
    """How the load was made, and what that took; None where the generator does not tell."""

    model_config = ConfigDict(extra="allow")  # Earlier versions kept more of it.

    threads: int | None = None
    cpu_seconds: float | None = None
    connections_opened: int | None = None
    connections_closed_idle: int = 0
    connections_unsolicited: int = 0
    repeated: int = 0
    """Loads before this one that did not count."""
    slices: int = 1
    slice_s: float | None = None
    watched_exactly: bool = False
    """Whether the generator told when the load began and ended."""
    watched_s: float | None = None
    observer_cost_s: float | None = None
    machines: MachinesRecord | None = None
    """Agents, their clocks and links, where several machines made the load."""


class Measurement(Record):
    """What one trial measured."""

    elapsed_s: float
    throughput_rps: float
    ok_after_end: Count = 0
    """Right answers of an open load that came after it; `throughput_rps` counts them."""
    latency_us: Latency | None
    latency_from_send_us: Latency | None = None
    send_lag_us: Latency | None = None
    latency_with_lost_us: LatencyWithLost | None = None
    """Of an open load; None where the generator does not tell."""
    first_byte_us: Latency | None = None
    """From the actual send to the first byte of the answer."""
    connect_us: Latency | None = None
    """How long connections took to open."""
    counts: RequestCounts
    errors_detail: list[ErrorDetail] = Field(default_factory=list)
    by_request: list[RequestRecord] = Field(default_factory=list)
    cpu_us_per_request: dict[str, float]
    cpu: dict[str, CpuUse]
    foreign_cpu_share: float | None = None
    """Part of the server's cores that was used by nobody in the trial; stolen time included."""
    generator_foreign_cpu_share: float | None = None
    """The same of the generator's cores."""
    stolen_cpu_share: float | None = None
    """Part of the server's cores that was used by nobody in the trial, and not by other programs
    either: the host of this virtual machine took it (steal). None where it is not known."""
    generator_stolen_cpu_share: float | None = None
    """The same of the generator's cores."""
    paused_by_quota_share: float | None = None
    """Part of the periods in which a quota around all of the trial paused it; None without one."""
    memory_bytes: Memory
    threads_peak: int
    processes_peak: int
    context_switches: dict[str, int] = Field(default_factory=dict)
    bytes_received: int = 0
    bytes_sent: int = 0
    series: list[SecondOfLoad] = Field(default_factory=list)
    observations: list[Observation] = Field(default_factory=list)
    histograms: dict[str, str] = Field(default_factory=dict)
    generator: GeneratorFigures = Field(default_factory=GeneratorFigures)

    def __repr_args__(self) -> Shown:
        latency = self.latency_us
        return known(
            elapsed_s=self.elapsed_s,
            throughput_rps=self.throughput_rps,
            p50_us=latency and latency.p50,
            p99_us=latency and latency.p99,
            ok=self.counts.ok,
            memory_peak_bytes=self.memory_bytes.peak,
        )
