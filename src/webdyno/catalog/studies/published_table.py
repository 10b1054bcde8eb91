"""A table of a write-up, as printed: its rows, how its requests were sent, what each costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field, model_validator

from webdyno.catalog.loads.load import Seconds
from webdyno.catalog.loads.load_bounds import read_by
from webdyno.catalog.reading.manifest import Manifest
from webdyno.catalog.terms import quantity
from webdyno.catalog.terms.printed import (
    Figure,
    FigureKind,
    PrintedBytes,
    PrintedNumber,
    PrintedShare,
    PrintedTime,
    figure,
    without_commas,
)
from webdyno.catalog.terms.reference import ServerReference

Bounded = Annotated[Seconds, Field(ge=1e-3, le=1e7)]
"""From a millisecond to some months."""

PhaseTexts = Annotated[list[str], read_by(quantity.phase)]
"""Phases of an open load, such as `150/s:60s`, which may last longer than any that is made here."""


class PublishedLoad(Manifest):
    """How a published table's requests were sent."""

    kind: Literal["closed", "open", "iterations"] = Field(description="as in a study's loads")
    tool: str = Field(default="", description="the load tool, such as wrk; any name")
    connections: int | None = Field(default=None, ge=1, le=10**9, description="of a closed load")
    users: int | None = Field(default=None, ge=1, le=10**9, description="of an iterations load")
    iterations: int | None = Field(default=None, ge=1, le=10**9, description="requests per user")
    threads: int | None = Field(default=None, ge=1, le=10**9, description="of the tool")
    duration: Bounded | None = Field(default=None, description="how long it lasted")
    phases: PhaseTexts = Field(default_factory=list, description="of an open load: 150/s:60s")
    timeout: Bounded | None = Field(
        default=None, description="an answer after this time counts as failed"
    )
    command: str = Field(default="", description="as printed")

    @model_validator(mode="after")
    def _complete(self) -> PublishedLoad:
        if self.kind == "closed" and self.connections is None:
            raise ValueError("a closed load needs 'connections'")
        if self.kind == "iterations" and (self.users is None or self.iterations is None):
            raise ValueError("an iterations load needs 'users' and 'iterations'")
        if self.kind == "open" and not self.phases:
            raise ValueError("an open load needs 'phases', such as [\"150/s:60s\"]")
        return self

    def in_flight(self) -> int | None:
        """Requests under way at once, as the load is described; None where it leaves that open."""
        return self.connections if self.kind == "closed" else self.users

    def offered(self) -> float | None:
        """Requests that the load sends in all; None where that depends on the server."""
        if self.kind == "iterations" and self.users and self.iterations:
            return float(self.users * self.iterations)
        if self.kind == "open":
            return sum(quantity.phase(text).requests for text in self.phases)
        return None


class PublishedWork(Manifest):
    """What a request costs at the least, and what its answer holds."""

    sha256_rounds: int | None = Field(
        default=None, ge=1, le=10**9, description="rounds of a request"
    )
    sha256_bytes: int | None = Field(
        default=None, ge=1, le=10**9, description="hashed in each round"
    )
    table_rows: int | None = Field(
        default=None,
        ge=1,
        le=10**12,
        description="of the table in which each request finds a row; without an index it reads all",
    )
    body_bytes: int | None = Field(
        default=None, ge=0, le=10**9, description="of each answer, without headers"
    )
    session_by_cookie: bool = Field(
        default=False, description="answers depend on a cookie that the client has to send back"
    )


class PublishedRow(Manifest):
    """A line of a table. What the write-up does not print is left out."""

    label: str = Field(default="", description="as printed; empty: the write-up gives no name")
    server: ServerReference = Field(
        default="", description="ours that stands for it, as in a study's servers"
    )
    total: bool = Field(default=False, description="the row is the total of all others")
    runs_on: str = Field(default="", description="label of the row whose program this one contains")
    samples: PrintedNumber | None = Field(default=None, description="requests")
    ok: PrintedNumber | None = Field(default=None, description="answered correctly")
    timeouts: PrintedNumber | None = Field(default=None, description="answered too late or never")
    error_share: PrintedShare | None = Field(
        default=None, description="requests that failed, such as 0.16%"
    )
    duration: PrintedTime | None = Field(default=None, description="as measured")
    throughput: PrintedNumber | None = Field(default=None, description="requests/s")
    throughput_sd: PrintedNumber | None = Field(
        default=None, description="standard deviation from second to second"
    )
    throughput_max: PrintedNumber | None = Field(default=None, description="of a second")
    thread_rate: PrintedNumber | None = Field(default=None, description="requests/s of a thread")
    thread_rate_sd: PrintedNumber | None = Field(
        default=None, description="standard deviation of `thread_rate`"
    )
    thread_rate_max: PrintedNumber | None = Field(
        default=None, description="maximum of `thread_rate`"
    )
    mean: PrintedTime | None = Field(default=None, description="latency")
    sd: PrintedTime | None = Field(default=None, description="standard deviation of the latency")
    min: PrintedTime | None = Field(default=None, description="latency")
    median: PrintedTime | None = Field(default=None, description="latency")
    p90: PrintedTime | None = Field(default=None, description="latency")
    p95: PrintedTime | None = Field(default=None, description="latency")
    p99: PrintedTime | None = Field(default=None, description="latency")
    max: PrintedTime | None = Field(default=None, description="latency")
    within_sd: PrintedShare | None = Field(
        default=None, description="latencies within one `sd` of the mean"
    )
    thread_rate_within_sd: PrintedShare | None = Field(
        default=None, description="of threads' rates, as `within_sd`"
    )
    bytes_per_s: PrintedBytes | None = Field(default=None, description="received")
    bytes_sd: PrintedBytes | None = Field(
        default=None, description="standard deviation from second to second"
    )
    bytes_max: PrintedBytes | None = Field(default=None, description="of a second")
    read: PrintedBytes | None = Field(default=None, description="received in all")
    cpu_cores: PrintedNumber | None = Field(default=None, description="cores busy: 1 is one core")
    memory_at_start: PrintedBytes | None = Field(
        default=None, description="resident, before the load"
    )
    memory: PrintedBytes | None = Field(default=None, description="resident, at its peak")
    threads: PrintedNumber | None = Field(default=None, description="of the server, at their peak")
    build: PrintedTime | None = Field(default=None, description="of everything, from nothing")
    build_again: PrintedTime | None = Field(default=None, description="after a change")
    source_lines: PrintedNumber | None = Field(
        default=None, description="lines of the program, as the write-up counts them"
    )
    at_rate: PrintedNumber | None = Field(
        default=None, description="the load at that time, in requests/s"
    )
    hash_slowdown: float = Field(
        default=1.0,
        ge=1,
        le=1000,
        description="at least how many times slower this runtime hashes than the fastest",
    )
    conditions: dict[str, str] = Field(
        default_factory=dict, description="what may differ between rows: processes, answer, …"
    )
    note: str = Field(default="", description="what readers should know about it")


_KINDS: dict[str, FigureKind] = {
    **dict.fromkeys(("samples", "ok", "timeouts", "throughput", "throughput_sd"), "number"),
    **dict.fromkeys(("throughput_max", "thread_rate", "thread_rate_sd"), "number"),
    **dict.fromkeys(("thread_rate_max", "cpu_cores", "at_rate", "source_lines"), "number"),
    **dict.fromkeys(("threads",), "number"),
    **dict.fromkeys(("error_share", "within_sd", "thread_rate_within_sd"), "share"),
    **dict.fromkeys(("bytes_per_s", "bytes_sd", "bytes_max", "read"), "bytes"),
    **dict.fromkeys(("memory_at_start", "memory"), "bytes"),
    **dict.fromkeys(("duration", "mean", "sd", "min", "median"), "time"),
    **dict.fromkeys(("p90", "p95", "p99", "max", "build", "build_again"), "time"),
}

_COUNTS = ("samples", "ok", "timeouts")


class PublishedTable(Manifest):
    """Rows that were measured alike."""

    name: str = Field(min_length=1, description="its name, in findings about it")
    scenario: str = Field(default="", description="ours: its name, or its label in the study")
    beside: str = Field(default="", description="only beside this load of ours; all if empty")
    unlike: dict[str, str] = Field(
        default_factory=dict,
        description="loads of ours under which load or work differ from the published one, and "
        "how: beside them ratios are shown, but not judged",
    )
    load: PublishedLoad = Field(description="how requests were sent")
    work: PublishedWork = Field(default=PublishedWork(), description="what a request costs")
    cpus: float | None = Field(
        default=None, gt=0, le=10**6, description="cores that a server may use"
    )
    runs: int = Field(default=1, ge=1, le=10**6, description="runs behind each row")
    binary_units: bool = Field(default=False, description="KB and MB are powers of 1024")
    rate_every: Bounded | None = Field(
        default=None, description="throughput is the mean of whole counts, one each so long"
    )
    rows: list[PublishedRow] = Field(min_length=1, description="its lines")

    @model_validator(mode="after")
    def _rows_are_told_apart(self) -> PublishedTable:
        labels = [row.label for row in self.rows if row.label]
        if twice := next((one for one in labels if labels.count(one) > 1), None):
            raise ValueError(f"rows: label '{twice}' is used twice; give each its own")
        for row in self.rows:
            if row.runs_on and row.runs_on not in labels:
                raise ValueError(f"rows: runs_on '{row.runs_on}' is not a label of this table")
        return self

    def figure(self, row: PublishedRow, key: str) -> Figure | None:
        """The row's figure `key`, in seconds, bytes or plain numbers; None where not printed."""
        text = getattr(row, key)
        if text is None:
            return None
        parsed = figure(text, _KINDS[key], binary=self.binary_units)
        # A count in full is exact; everything else is rounded.
        exact = key in _COUNTS and without_commas(text).strip().isdigit()
        return replace(parsed, low=parsed.value, high=parsed.value) if exact else parsed

    def named(self, label: str) -> PublishedRow | None:
        """The row with that label."""
        return next((row for row in self.rows if row.label == label), None)
