"""What the engine says of a part of a load: its result, and what merging it needs beside."""

from __future__ import annotations

from webdyno.generators.result import (
    ChangesMade,
    DistinctAnswers,
    GeneratorSpent,
    KeptAnswer,
    LoadResult,
    Yielded,
)
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import ErrorDetail, Latency, RequestRecord, SecondOfLoad


class Merging(Yielded):
    """Encoded distributions that the result of a whole load does not tell; see the engine's
    `record/result/merging.rs`."""

    first_byte: str
    """From the actual send to the first byte."""
    connect: str
    handshake: str | None = None
    """None where TLS was not spoken."""
    by_request: list[str]
    """Of each row of the result's `by_request`."""
    series: list[str]
    """Of each row of its `series`."""


class PartSpent(GeneratorSpent):
    """What a part cost: the engine tells all of it."""

    threads: int
    cpu_seconds: float
    cpu_user_s: float
    cpu_system_s: float
    cpu_seconds_by_thread: list[float]
    reactor: str
    late_own: int
    late_waited: int


class PartResult(LoadResult):
    """The result of a part. What another generator may leave out, the engine tells."""

    started_unix_s: float
    stopped_early: bool
    counts: RequestCounts
    latency_us: Latency
    latency_from_send_us: Latency
    send_lag_us: Latency
    first_byte_us: Latency
    connect_us: Latency
    histograms: dict[str, str]
    series: list[SecondOfLoad]
    by_request: list[RequestRecord]
    errors_detail: list[ErrorDetail]
    bytes_received: int
    bytes_sent: int
    connections_opened: int
    connections_closed_idle: int
    reset_kept_alive: int = 0
    connections_unsolicited: int
    protocol: str
    generator: PartSpent
    distinct: list[DistinctAnswers]
    changes: ChangesMade
    samples: list[KeptAnswer]
    merging: Merging
