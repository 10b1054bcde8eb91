"""What a trial leaves behind: how it was made, what it measured, and what it proved."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal

from pydantic import Field

from webdyno.store.cell import AtPlace
from webdyno.store.findings import AnswerRecord, QuestionAnswerRecord, ServiceRecord
from webdyno.store.measurement import Measurement, Warmup
from webdyno.store.record import Record, Shown, known
from webdyno.store.search import SearchRecord

TrialStatus = Literal["ok", "failed", "error", "interrupted"]
"""ok: measured and proven; failed: the server broke the contract or its measurement an integrity
test that forbids ranking; error: it could not be built, started or measured; interrupted: the
user ended the run during the trial."""


class BuildRecord(Record):
    """How the server was built; `seconds` is the first build's even where `cached` is true."""

    seconds: float | None = None
    cached: bool = False
    artefact_bytes: int | None = None
    source_lines: int | None = None
    digest: str = ""
    log: str = ""


class EvidenceRecord(Record):
    """One claim that was checked, what was seen, and what mends a server that failed it."""

    claim: str
    ok: bool
    detail: str = ""
    phase: str = ""
    remedy: str = ""


class SetupRecord(Record):
    """How a trial was really made: the CPUs of each role, and what its load left open.

    `service_cpus` is empty where no service ran. `turns` is how many parts the load was made in,
    of `turn_s` seconds each; 1 and None in one piece, and `turns_note` says why where the load asks
    for turns. `load_machines` are the addresses of those that made the load, where others than the
    server's did, and `service_machine` is that of the services. `open_files` is how many files the
    server could have open (its soft limit): some servers size their tables by it.
    """

    server_cpus: list[int] = Field(default_factory=list)
    generator_cpus: list[int] = Field(default_factory=list)
    service_cpus: list[int] = Field(default_factory=list)
    observer_cpu: int | None = None
    generator_threads: int | None = None
    connections: int | None = None
    open_files: int | None = None
    turns: int = 1
    turn_s: float | None = None
    turns_note: str = ""
    load_machines: list[str] = Field(default_factory=list)
    service_machine: str = ""


class FlagRecord(Record):
    """A doubt about a trial, with its remedy in the message."""

    code: str
    message: str


class TrialRecord(AtPlace, Record):
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
    lie: str = ""
    """What it was proven to answer wrongly or not to do, which no other trial makes up for: see
    `store.disqualification`. Empty where it only broke down, or did its work."""
    shared_start: bool = False
    """Whether the server had been started for another trial, under another load just before."""
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
    """The kind of its limit, as JSON calls it; see `limit`."""
    bottleneck_reason: str = ""
    one_thread: bool = False
    """Where the server is the limit: it filled one thread, while cores of its own were idle."""
    flags: list[FlagRecord] = Field(default_factory=list)
    not_steady: str = ""
    """Why the trial was not shown to be that of a warm server, and so settles nothing; empty where
    it was, or where no warm-up belongs to the load."""
    evidence: list[EvidenceRecord] = Field(default_factory=list)
    counted: dict[str, int] = Field(default_factory=dict)
    """What the answers of the load did, as its verifier counted: rows inserted, rows updated."""
    held: dict[str, int] = Field(default_factory=dict)
    """What the server held after the load, such as database connections."""
    answer: AnswerRecord | None = None
    """An answer of the load; None where the generator keeps none."""
    asked: list[QuestionAnswerRecord] = Field(default_factory=list)
    """In the first block, what it answered to the questions that its verifier asks of all."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Of what the server was built with and ran on, and of the services beside it."""
    services: list[ServiceRecord] = Field(default_factory=list)
    sources: dict[str, str] = Field(default_factory=dict)
    """Digests of the `server`'s and the `scenario`'s source: what ran, and what it did; of how
    long the server is warmed up (`warm_up`); and of the compiled `engine` and of those modules of
    `webdyno` that measured and judged it."""
    placement: str = ""
    setup: SetupRecord | None = None
    """How it was really made; None in records that do not hold it."""
    log: str = ""
    """Path of the server's log, relative to the run's folder."""
    log_tail: str = ""

    def __repr_args__(self) -> Shown:
        measured = self.measurement
        return known(
            entry=self.entry,
            scenario=self.scenario,
            load=self.load,
            block=self.block,
            status=self.status,
            reason=self.reason,
            throughput_rps=None if measured is None else round(measured.throughput_rps, 1),
            limit=self.limit,
        )

    @property
    def entry(self) -> str:
        """The label a verdict uses: see `entry_label`."""
        return entry_label(self.server, self.variant, self.control)

    @property
    def is_evidence(self) -> bool:
        """Whether a verdict may rest on it: it worked, and the server was warm."""
        warmed = self.warmup is None or self.warmup.steady
        return self.status == "ok" and warmed and not self.not_steady

    @property
    def limit(self) -> str:
        """The limit as tables tell it: `one-thread` is a server that fills only that."""
        return "one-thread" if self.one_thread else self.bottleneck

    @property
    def took_s(self) -> float:
        """Wall time from start to stop, without the turns of others."""
        return (self.finished - self.started).total_seconds() - self.away_seconds


def jtl_name(stem: str, load: str) -> str:
    """The file of a trial's requests, where its log's name has this `stem`: a load may be called
    anything, and a file may not."""
    return f"{stem}-{re.sub(r'[^A-Za-z0-9._+-]', '-', load)[:100]}.jtl"


def entry_label(server: str, variant: str = "default", control: bool = False) -> str:
    """Name one competitor: `server`, `server@variant`, with ` (control)` for the A/A twin."""
    name = server if variant == "default" else f"{server}@{variant}"
    return f"{name} (control)" if control else name
