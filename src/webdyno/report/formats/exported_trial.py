"""What the JSON of a run holds of a trial: its record, and what is worked out from it."""

from __future__ import annotations

from typing import Any

from pydantic import Field
from pydantic.config import JsonDict

from webdyno.store.document import Moment
from webdyno.store.measurement import (
    CpuUse,
    Latency,
    LatencyWithLost,
    Measurement,
    Memory,
    RequestRecord,
    Warmup,
)
from webdyno.store.record import Amount, Count, Record
from webdyno.store.records import (
    EvidenceRecord,
    FlagRecord,
    SetupRecord,
    TrialRecord,
    TrialStatus,
)
from webdyno.store.search import SearchRecord

_OF_EVERY_TRIAL = [
    "server", "variant", "scenario", "load", "block", "status", "throughput_rps", "latency_us",
    "counts", "cpu_us_per_request", "memory_bytes", "threads_peak", "build_seconds",
    "start_seconds", "bottleneck", "flags",
]  # fmt: skip
"""Keys that every export of a trial has, those of the first versions as well."""


class NoMemory(Record):
    """Of a trial that measured nothing."""

    start: None = None
    idle: None = None
    mean: None = None
    peak: None = None


_AMOUNT_OR_NULL: JsonDict = {"type": ["number", "null"], "minimum": 0}
_WHERE_OK = {
    "if": {"properties": {"status": {"const": "ok"}}},
    "then": {
        "properties": {
            "throughput_rps": {"type": "number"},
            "latency_us": {"type": "object"},
            "counts": {"required": ["offered", "sent", "ok"]},
            "threads_peak": {"type": "integer"},
        }
    },
}


class ExportedTrial(Record, json_schema_extra={**_WHERE_OK, "required": _OF_EVERY_TRIAL}):
    """One server under one scenario and load, once. What a load measures is null where none was
    made."""

    server: str
    """LANGUAGE/NAME."""
    variant: str
    entry: str
    """How verdicts call it: server, server@variant, with ` (control)` for the second entry of the
    A/A pair."""
    control: bool
    scenario: str
    load: str
    block: Count
    order: Count
    """Its place within the block."""
    status: TrialStatus
    """ok: measured and proven; failed: wrong answers or an integrity test; error: could not be
    built, started or measured; interrupted: the user ended the run."""
    reason: str
    lie: str
    """What it was proven to answer wrongly or not to do, which disqualifies it; empty where it only
    broke down, or did its work."""
    shared_start: bool
    """Whether the server had been started for another trial, under another load just before."""
    started: Moment
    finished: Moment
    away_seconds: Amount
    """How long other trials had their turn between the start and the end of this one."""
    elapsed_s: Amount | None
    throughput_rps: Amount | None
    """Accepted answers per second."""
    latency_us: Latency | None
    """From the intended send time."""
    latency_from_send_us: Latency | None
    latency_with_lost_us: LatencyWithLost | None
    """Of an open load: latency of every request that was due, from the intended send. One without a
    correct answer counts as never answered: null where a quantile falls among those."""
    first_byte_us: Latency | None
    """From the actual send to the first byte of accepted answers."""
    connect_us: Latency | None
    """How long connections took to open."""
    counts: dict[str, Count]
    """Requests by what became of them. offered = sent + not_sent + refused + client_limit; sent =
    ok + wrong_status + failed_check + reset + timed_out + malformed + unfinished."""
    by_request: list[RequestRecord]
    """The requests of each name: those sent, by what became of them."""
    cpu_us_per_request: dict[str, Amount | None] = Field(
        json_schema_extra={
            "properties": {"server": _AMOUNT_OR_NULL, "generator": _AMOUNT_OR_NULL},
            "required": ["server", "generator"],
        }
    )
    """By role."""
    cpu: dict[str, CpuUse]
    """By role; share is of the cores it was given."""
    memory_bytes: Memory | NoMemory
    threads_peak: Count | None
    processes_peak: Count | None
    bytes_received: Count | None
    bytes_sent: Count | None
    capacity_rps: Amount | None
    """Only where the load is an objective."""
    search: SearchRecord | None
    """How the highest rate that meets an objective was found."""
    build_seconds: Amount | None
    build_digest: str
    """Of what was built: sources, commands, toolchains."""
    start_seconds: Amount | None
    stop_seconds: Amount | None
    warmup: Warmup | None
    not_steady: str
    """Why it was not shown to be the trial of a warm server, so that it settles nothing; empty
    where it was, or where its load has no warm-up."""
    step_seconds: dict[str, Amount]
    """Wall time of each step of the trial."""
    artefact_bytes: Count | None
    source_lines: Count | None
    bottleneck: str
    """What limited it; empty where that is not known."""
    bottleneck_reason: str
    one_thread: bool
    """Where the server is the limit: it filled one thread, while cores of its own were idle."""
    setup: SetupRecord | None
    """How the trial was really made; null where that is not known."""
    machines: dict[str, Any]
    """Where several made the load: each agent with its clock, its part and its link; else empty."""
    flags: list[FlagRecord]
    """Doubts, each with its remedy."""
    evidence: list[EvidenceRecord]
    """What was checked."""
    counted: dict[str, int]
    """What the answers of the load did, as the verifier counted, such as rows inserted."""
    held: dict[str, int]
    """What the server held after the load, such as database connections."""
    versions: dict[str, str]
    sources: dict[str, str]
    """Digests of the server's and the scenario's source."""
    log: str
    """Path within the run's folder."""

    @classmethod
    def of(cls, trial: TrialRecord) -> ExportedTrial:
        """Of the record of a trial."""
        measured, build = trial.measurement, trial.build
        machines = measured.generator.machines if measured else None
        held = {name: getattr(trial, name) for name in _OF_TRIAL}
        held |= {name: getattr(measured, name, None) for name in _OF_MEASUREMENT}
        return cls.model_construct(
            **held,
            counts=measured.counts.by_kind() if measured else {},
            machines=machines.model_dump(mode="json") if machines else {},
            by_request=measured.by_request if measured else [],
            cpu_us_per_request={
                **dict.fromkeys(("server", "generator")),
                **(measured.cpu_us_per_request if measured else {}),
            },
            cpu=measured.cpu if measured else {},
            memory_bytes=measured.memory_bytes if measured else NoMemory(),
            capacity_rps=trial.search.capacity_rps if trial.search else None,
            build_seconds=build.seconds,
            build_digest=build.digest,
            artefact_bytes=build.artefact_bytes,
            source_lines=build.source_lines,
        )


_ALWAYS = {"counts", "by_request", "cpu_us_per_request", "cpu", "memory_bytes"}
_OF_TRIAL = {"entry", *(ExportedTrial.model_fields.keys() & TrialRecord.model_fields.keys())}
_OF_MEASUREMENT = (ExportedTrial.model_fields.keys() & Measurement.model_fields.keys()) - _ALWAYS
