"""What a run leaves behind, as typed records.

A `RunRecord` holds the `TrialRecord`s of a study and the verdicts drawn from them. A
`Measurement` is what one trial yielded. Units are in the names: seconds `_s` or `_seconds`,
microseconds `_us`, bytes `_bytes`, requests per second `_rps`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import Field

from webdyno.store.findings import (
    AnswerRecord,
    CostRecord,
    DifferenceRecord,
    ServerRecord,
    ServiceRecord,
)
from webdyno.store.record import Record
from webdyno.store.scalability import ScalabilityRecord
from webdyno.store.search import SearchRecord
from webdyno.store.verdicts import SentinelRecord, VerdictRecord

TrialStatus = Literal["ok", "failed", "error", "interrupted"]
"""ok: measured and proven; failed: the server broke the contract or its measurement an integrity
test that forbids ranking; error: it could not be built, started or measured; interrupted: the
user ended the run during the trial."""

RunStatus = Literal["running", "finished", "interrupted", "failed"]


def now() -> datetime:
    """The current time in UTC, as every record stores it."""
    return datetime.now(UTC)


class Latency(Record):
    """Quantiles of the latency of accepted answers, in microseconds."""

    p50: float
    p90: float
    p99: float
    p999: float
    max: float
    mean: float
    min: float = 0.0


class CpuUse(Record):
    """CPU a role spent during the measured interval.

    `share` is CPU seconds divided by (wall seconds x cores the role was given): 1.0 means all of
    them were busy throughout. `run_delay_s` is the time its threads were runnable but waited for
    a core; None where the kernel does not say.
    """

    user_s: float
    system_s: float
    cores: float
    share: float
    run_delay_s: float | None = None


class Memory(Record):
    """Resident memory of the server's process tree, in bytes (PSS where the kernel gives it).

    `start`: at its first answer; None in records that do not hold it. `idle`: after the proof,
    before any load. `mean` and `peak`: under the load.
    """

    start: float | None = None
    idle: float
    mean: float
    peak: float
    peak_rss: float | None = None
    kind: Literal["pss", "rss"] = "rss"


class Warmup(Record):
    """The warm-up: `ticks` are [seconds, answers per second] windows; `steady_after_s` is None
    where the server never became steady within the allowed time. `kind` says how it ended: see
    `verdict.steady.Steady`."""

    seconds: float
    steady: bool
    steady_after_s: float | None = None
    kind: str = ""
    ticks: list[tuple[float, float]] = Field(default_factory=list)
    cpu_us: list[float] = Field(default_factory=list)
    """The server's CPU time per answer in each of `ticks`; empty where it could not be read."""
    run_delay_s: float = 0.0
    """How long the server's threads were ready but had no core."""


class SecondOfLoad(Record):
    """One second (the last may be shorter) of the measured load."""

    second: int
    offered: int = 0
    sent: int = 0
    ok: int
    errors: int
    p50_us: float | None = None
    p90_us: float | None = None
    p95_us: float | None = None
    p99_us: float | None = None
    max_us: float | None = None
    bytes: int = 0


class Observation(Record):
    """One sample of a process tree, `t_s` seconds from the start of the measurement."""

    t_s: float
    cpu_share: float
    memory_bytes: float
    threads: int
    processes: int


class Measurement(Record):
    """What one trial measured."""

    elapsed_s: float
    throughput_rps: float
    latency_us: Latency | None
    latency_from_send_us: Latency | None = None
    send_lag_us: Latency | None = None
    counts: dict[str, int]
    errors_detail: list[dict[str, Any]] = Field(default_factory=list)
    cpu_us_per_request: dict[str, float]
    cpu: dict[str, CpuUse]
    foreign_cpu_share: float | None = None
    """Part of the server's cores that was used by nobody in the trial; stolen time included."""
    generator_foreign_cpu_share: float | None = None
    """The same of the generator's cores."""
    memory_bytes: Memory
    threads_peak: int
    processes_peak: int
    context_switches: dict[str, int] = Field(default_factory=dict)
    bytes_received: int = 0
    bytes_sent: int = 0
    series: list[SecondOfLoad] = Field(default_factory=list)
    observations: list[Observation] = Field(default_factory=list)
    histograms: dict[str, str] = Field(default_factory=dict)
    generator: dict[str, Any] = Field(default_factory=dict)


class BuildRecord(Record):
    """How the server was built; `seconds` is the first build's even where `cached` is true."""

    seconds: float | None = None
    cached: bool = False
    artefact_bytes: int | None = None
    source_lines: int | None = None
    digest: str = ""
    log: str = ""


class BuildTimesRecord(Record):
    """What building a server takes, in seconds.

    `cold_s`: once, with nothing downloaded; None where its tool keeps its downloads in one place
    only. `clean_s`: dependencies downloaded, nothing compiled. `incremental_s`: after one line of
    `changed_file` was changed; empty where that needs no build. `note` says what is missing.
    """

    server: str
    cold_s: float | None = None
    clean_s: list[float] = Field(default_factory=list)
    incremental_s: list[float] = Field(default_factory=list)
    changed_file: str = ""
    artefact_bytes: int | None = None
    note: str = ""


class ScalingRecord(Record):
    """How an open load was fitted to this machine and to the budget, the same for all servers.

    `carried_rps` is what each entry answered in a short closed loop; `slowest` decided the factor,
    and is empty where the rates stayed as `asked`. `given` are the phases that were made.
    """

    scenario: str
    load: str
    rate_factor: float
    time_factor: float
    slowest: str = ""
    carried_rps: dict[str, float] = Field(default_factory=dict)
    asked: list[str] = Field(default_factory=list)
    given: list[str] = Field(default_factory=list)


class EvidenceRecord(Record):
    """One claim that was checked, and what was seen."""

    claim: str
    ok: bool
    detail: str = ""
    phase: str = ""


class FlagRecord(Record):
    """A doubt about a trial, with its remedy in the message."""

    code: str
    message: str


class TrialRecord(Record):
    """One server under one scenario and load, once."""

    run_id: str
    index: int
    server: str
    variant: str = "default"
    control: bool = False
    scenario: str
    load: str
    block: int
    order: int
    status: TrialStatus
    reason: str = ""
    started: datetime
    finished: datetime
    away_seconds: float = 0.0
    """How long other trials had their turn between its start and its end."""
    measurement: Measurement | None = None
    warmup: Warmup | None = None
    search: SearchRecord | None = None
    """Where the load is an objective: how its rate was found."""
    build: BuildRecord = Field(default_factory=BuildRecord)
    start_seconds: float | None = None
    stop_seconds: float | None = None
    step_seconds: dict[str, float] = Field(default_factory=dict)
    bottleneck: str = ""
    bottleneck_reason: str = ""
    flags: list[FlagRecord] = Field(default_factory=list)
    evidence: list[EvidenceRecord] = Field(default_factory=list)
    counted: dict[str, int] = Field(default_factory=dict)
    """What the answers of the load did, as its verifier counted: rows inserted, rows updated."""
    held: dict[str, int] = Field(default_factory=dict)
    """What the server held after the load, such as database connections."""
    answer: AnswerRecord | None = None
    """An answer of the load; None where the generator keeps none."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Of what the server was built with and ran on, and of the services beside it."""
    services: list[ServiceRecord] = Field(default_factory=list)
    sources: dict[str, str] = Field(default_factory=dict)
    """Digests of the `server`'s and the `scenario`'s source: what ran, and what it did."""
    placement: str = ""
    log: str = ""
    """Path of the server's log, relative to the run's folder."""
    log_tail: str = ""

    @property
    def entry(self) -> str:
        """The label a verdict uses: see `entry_label`."""
        return entry_label(self.server, self.variant, self.control)

    @property
    def took_s(self) -> float:
        """Wall time from start to stop, without the turns of others."""
        return (self.finished - self.started).total_seconds() - self.away_seconds


def entry_label(server: str, variant: str = "default", control: bool = False) -> str:
    """Name one competitor: `server`, `server@variant`, with ` (control)` for the A/A twin."""
    name = server if variant == "default" else f"{server}@{variant}"
    return f"{name} (control)" if control else name


class Skipped(Record):
    """A server the run left out before any trial, and why."""

    server: str
    reason: str


class RunRecord(Record):
    """One run of a study."""

    id: str
    study: dict[str, Any]
    command: str
    started: datetime
    finished: datetime | None = None
    status: RunStatus = "running"
    machine: dict[str, Any] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    placement: str = ""
    limits: str = ""
    """What each server may use, how much of it this machine has, and what holds it."""
    skipped: list[Skipped] = Field(default_factory=list)
    scalings: list[ScalingRecord] | None = None
    """How open loads were fitted; None until that is settled."""
    build_times: list[BuildTimesRecord] = Field(default_factory=list)
    """Only where the study asks for them."""
    trials: list[TrialRecord] = Field(default_factory=list)
    verdicts: list[VerdictRecord] = Field(default_factory=list)
    sentinels: list[SentinelRecord] = Field(default_factory=list)
    planned_blocks: int | None = None
    """Blocks that the error rate was shared out over, settled before the first trial."""
    step_seconds: dict[str, float] = Field(default_factory=dict)
    """Wall time of what belongs to no trial: `noise`, `build`, `judge`."""
    servers: list[ServerRecord] = Field(default_factory=list)
    scalability: list[ScalabilityRecord] = Field(default_factory=list)
    costs: list[CostRecord] = Field(default_factory=list)
    differences: list[DifferenceRecord] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    folder: str = ""
