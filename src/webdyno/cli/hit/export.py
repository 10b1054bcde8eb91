"""The result of `hit` as JSON; its schema is schemas/hit.schema.json, made from these classes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from webdyno import __version__
from webdyno.catalog.loads.load import Arrivals, Objective
from webdyno.cli.hit.warnings import Caution, warnings
from webdyno.generators.result import Http2Spoken, LoadResult, TlsSpoken, WebSocketSpoken
from webdyno.generators.specification import ClosedShape, IterationsShape, LoadSpec, OpenShape
from webdyno.store.counts import RequestCounts
from webdyno.store.document import Document
from webdyno.store.load_machines import MachinesRecord
from webdyno.store.measurement import (
    ErrorDetail,
    Latency,
    LatencyWithLost,
    RequestRecord,
    SecondOfLoad,
)
from webdyno.store.record import Amount, Count, Record, is_none
from webdyno.store.search import SearchRecord

FORMAT: Final = 1
"""Counts up when a key changes its meaning or goes; new keys do not count."""

Url = Annotated[str, Field(json_schema_extra={"pattern": "^(http|ws)s?://"})]
Histogram = Annotated[str, Field(json_schema_extra={"contentEncoding": "base64"})]


class SoughtLoad(Record):
    """A search for a rate; the other figures are those of the step that stands for it, an open
    load."""

    kind: Literal["objective"] = "objective"
    objective: str
    """What must hold, such as `p99 < 100ms`."""
    errors: str
    """Share of the requests that may fail, such as `< 0.1%`."""
    arrivals: Arrivals
    """How the requests of a step fall due."""
    connections: Count
    """Connections at most."""
    step_s: Amount
    """The usual length of a step, in seconds."""
    tolerance: Amount
    """How closely the rate was sought: 0.05 is to 5%."""
    max_rate: str | None
    """No rate above this was tried, such as `20k/s`."""

    @classmethod
    def of(cls, load: Objective) -> SoughtLoad:
        """What was asked for."""
        asked = load.model_dump(include={"objective", "errors", "arrivals", "connections"})
        return cls(
            **asked, step_s=load.step, tolerance=load.tolerance, max_rate=load.max_rate or None
        )


class GeneratorExported(Record):
    """What the load itself cost."""

    cpu_seconds: Amount
    """CPU seconds of its threads."""
    cpu_user_s: Amount
    """Those of them in its own code."""
    cpu_system_s: Amount
    """Those of them in the kernel."""
    cpu_us_per_request: Amount | None
    """CPU microseconds for each request that was sent."""
    threads: Count
    """That made the load."""
    cpu_seconds_by_thread: list[Amount] | None
    """CPU seconds of each thread."""
    cpus: list[Count] | None
    """CPUs that its threads were pinned to; empty where the kernel placed them."""
    reactor: str | None
    """What drove the sockets: `epoll` or `io_uring`."""
    late_own: Count | None
    """Requests sent over 1 ms after their time, because the generator was held up."""
    late_waited: Count | None
    """The same, because every connection was busy: they waited for the server."""


ExportedLoad = Annotated[
    ClosedShape | OpenShape | IterationsShape | SoughtLoad, Field(discriminator="kind")
]


class HitDocument(Document):
    """A load of one URL. Latencies are those of correct answers."""

    format: Literal[1] = FORMAT
    """Version of this format."""
    webdyno: str = __version__
    """Version of Webdyno."""
    url: Url
    """As given."""
    method: str
    """HTTP method."""
    load: ExportedLoad
    """How the requests arrived."""
    timeout_s: Amount
    """Seconds after which an unanswered request is an error."""
    seed: Count
    """Of all random draws."""
    started: str = Field(json_schema_extra={"format": "date-time"})
    """When the load began, UTC, to the millisecond."""
    elapsed_s: Amount
    """How long the load was on, in seconds."""
    stopped_early: bool
    """Whether it was interrupted."""
    throughput_rps: Amount
    """Right answers per second."""
    latency_us: Latency | None
    """Latency of correct answers from the intended send, in microseconds; null without any."""
    latency_from_send_us: Latency | None
    """The same from the actual send."""
    send_lag_us: Latency | None
    """How long after the intended time requests were sent, in microseconds; null if none was."""
    first_byte_us: Latency | None
    """Microseconds from the actual send to the first byte of correct answers; null without any."""
    connect_us: Latency | None
    """How long connections took to open, in microseconds, with all that TLS, HTTP/2 and WebSocket
    need, those before the start included; null without any."""
    latency_with_lost_us: LatencyWithLost | None
    """Of an open load: latency from the intended send of every request that was due, in
    microseconds, one without a correct answer counting as never answered; else null."""
    counts: RequestCounts
    """Requests by what became of them."""
    by_request: list[RequestRecord]
    """The requests of each name."""
    errors_detail: list[ErrorDetail]
    """Why requests failed."""
    bytes_received: Count
    """Bytes that came on all connections."""
    bytes_sent: Count
    """Bytes that were sent on all connections."""
    connections_opened: Count | None
    """Those before the start included."""
    connections_closed_idle: Count
    """By the server, while no request was under way on them."""
    reset_kept_alive: Count
    """Requests over HTTP/1.1, of those in `reset`, whose connection had brought answers before and
    ended before a byte of theirs: the server closed what it had kept alive."""
    connections_unsolicited: Count
    """Given up because bytes came on them that no request had asked for."""
    protocol: str
    """What was spoken: `HTTP/1.1`, `HTTP/2` or `WebSocket`."""
    tls: TlsSpoken | None
    """Of TLS; null where it was not spoken. Handshakes before the start included."""
    http2: Http2Spoken | None
    """Of HTTP/2; null where it was not spoken."""
    websocket: WebSocketSpoken | None
    """Of WebSocket; null where it was not spoken."""
    series: list[SecondOfLoad]
    """A row a second."""
    histograms: dict[str, Histogram] = Field(
        json_schema_extra={
            "properties": {
                "from_intended": {"type": "string"},
                "from_send": {"type": "string"},
                "send_lag": {"type": "string"},
            },
            "required": ["from_intended", "from_send", "send_lag"],
        }
    )
    """HdrHistogram V2, deflated, base64; values in nanoseconds."""
    generator: GeneratorExported
    """What the load itself cost."""
    warnings: list[Caution]
    """What to know before believing the figures, each with its remedy."""
    machines: MachinesRecord | None = Field(default=None, exclude_if=is_none)
    """Only of a load from many machines, by `--agents`: who made it, over which links, and what
    voids it."""

    @classmethod
    def of(cls, url: str, spec: LoadSpec, result: LoadResult, **more: Any) -> HitDocument:
        """The document of a load; `more` replaces what would be its own, or is beside it."""
        (request,) = spec.requests
        assert result.started_unix_s is not None
        started = datetime.fromtimestamp(result.started_unix_s, UTC)
        spent = result.generator
        generator = {name: getattr(spent, name) for name in GeneratorExported.model_fields}
        held: dict[str, Any] = {name: getattr(result, name) for name in _OF_RESULT} | {
            "url": url,
            "method": request.method,
            "load": spec.load,
            "timeout_s": spec.timeout_s,
            "seed": spec.seed,
            "started": started.isoformat(timespec="milliseconds"),
            "generator": GeneratorExported.model_construct(**generator),
            "warnings": warnings(result, spec.load),
        }
        return cls.model_construct(**(held | more))


_OF_RESULT = (HitDocument.model_fields.keys() & LoadResult.model_fields.keys()) - {
    "generator",
    "machines",
}


class SearchedHit(HitDocument):
    """A search by `--objective`. Its figures are those of one step, an open load."""

    search: SearchRecord | None
    """What the search found; null where it could not begin."""


def _without_figures(schema: dict[str, Any]) -> None:
    schema["properties"] |= {"counts": False, "throughput_rps": False}


class VoidHit(Document, json_schema_extra=_without_figures):
    """A load from many machines that lost an agent: it has no figures."""

    format: Literal[1] = FORMAT
    """Version of this format."""
    webdyno: str = __version__
    """Version of Webdyno."""
    url: Url
    """As given."""
    load: ExportedLoad
    """How the requests should have arrived."""
    seed: Count
    """Of all random draws."""
    warnings: list[Caution]
    """What to know before believing the figures, each with its remedy."""
    machines: MachinesRecord
    """Who made the load, over which links, and what voids it."""


def of_machines(
    url: str,
    spec: LoadSpec,
    result: LoadResult | None,
    cautions: Sequence[Caution],
    machines: MachinesRecord,
) -> HitDocument | VoidHit:
    """The document of a load that machines made; `result` is None where one of them was lost."""
    beside: dict[str, Any] = {"warnings": list(cautions), "machines": machines}
    if result is None:
        return VoidHit(url=url, load=spec.load, seed=spec.seed, **beside)
    return HitDocument.of(url, spec, result, **beside)


AnyHit = HitDocument | SearchedHit | VoidHit

_SINCE = [
    "by_request", "connections_closed_idle", "connections_unsolicited", "connect_us",
    "first_byte_us", "latency_with_lost_us", "reset_kept_alive", "websocket",
]  # fmt: skip
SINCE = {
    "HitDocument": _SINCE,
    "SearchedHit": _SINCE,
    "VoidHit": ["warnings"],
    "GeneratorExported": [
        "cpu_user_s", "cpu_system_s", "cpu_seconds_by_thread", "cpus", "reactor", "late_own",
        "late_waited",
    ],
    "RequestCounts": ["client_limit"],
    "SecondOfLoad": ["p90_us", "p95_us"],
    "Http2Spoken": ["abandoned"],
    "MachinesRecord": ["overhead_s"],
    "ClockRecord": ["rtt_min_s", "rtt_median_s", "samples"],
    "AgentRecord": ["clock_after"],
}  # fmt: skip
"""Keys that came after the first version of the format, by the name of their class."""
