"""What a load yielded, in one form whoever made it.

What a generator does not tell stays empty rather than guessed: no histogram, no sampled answers.
"""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from webdyno.generators.spread import Spread, Unfairness
from webdyno.store.counts import RequestCounts, Tally
from webdyno.store.load_machines import MachinesRecord
from webdyno.store.measurement import (
    ErrorDetail,
    GeneratorTold,
    Latency,
    LatencyWithLost,
    RequestRecord,
    SecondOfLoad,
)
from webdyno.store.record import Amount, Count


class Yielded(BaseModel):
    """Part of a load's result; what is not known here is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class GeneratorSpent(GeneratorTold, Yielded):
    """What making the load cost."""

    threads: int = 1
    cpu_seconds: float = 0.0
    cpu_user_s: float = 0.0
    cpu_system_s: float = 0.0
    cpu_in_all_s: float | None = None
    """With what it took to start and to end; None where it is part of a program that goes on."""
    cpu_us_per_request: float | None = None
    """For each that was sent."""
    cpus: list[int] | None = None
    """The CPUs that its threads were pinned to."""
    cores: int | None = None
    """Of all machines that made it, those that its threads could use; None where one made it."""
    unchecked: list[str] | None = None
    """Kinds of checks that it did not make."""


class DistinctAnswers(Yielded):
    """How distinct the answers to a request were."""

    request: str
    answers: int
    kept: int
    one_in: int
    repeated: int


class ChangesMade(Yielded):
    """Changes of the server's state during the load."""

    changes: int = 0
    lookups: int = 0
    counts_set: int = 0
    counts_followed: int = 0
    waited_s: float = 0.0
    """The longest that one took, by the load's clock, or had taken when the load was over."""


class KeptAnswer(Yielded):
    """An answer kept in full; its times are seconds, `at_s` since the start of the load, the others
    on the system's monotonic clock."""

    request: str
    variables: dict[str, Any] = Field(default_factory=dict)
    status: int
    headers: list[tuple[str, str]]
    body_base64: str
    pieces: int | None = None
    """In how many the body came: no fewer than its chunks. None where it is not told."""
    at_s: float
    sent_s: float
    """When its request was sent, or before."""
    answered_by_s: float
    """When it had come, or after."""

    def by_clock(self, least_s: float, most_s: float) -> Self:
        """The same by a monotonic clock that is between `least_s` and `most_s` behind."""
        return self.model_copy(
            update={"sent_s": self.sent_s - most_s, "answered_by_s": self.answered_by_s - least_s}
        )


class HandshakesFailed(Tally):
    """TLS handshakes that failed, by what was wrong."""

    certificate: Count = 0
    """It was not accepted."""
    protocol: Count = 0
    """No TLS, or no agreement."""
    closed: Count = 0
    """The connection ended first."""
    unfinished: Count = 0
    """The timeout or the end of the load came first."""


class TlsSpoken(Yielded, use_attribute_docstrings=True):
    """TLS as the load met it, with the handshakes from before its start."""

    version: str | None = None
    """Such as `TLS 1.3`; null where no handshake succeeded."""
    cipher_suite: str | None = None
    """Such as `TLS_AES_256_GCM_SHA384`; null where no handshake succeeded."""
    alpn: str | None = None
    """What the server chose by ALPN, if it chose."""
    full_handshakes: Count
    """With a certificate."""
    resumed_handshakes: Count
    """That took up an earlier session of the same user."""
    failed_handshakes: HandshakesFailed = HandshakesFailed()
    """By what was wrong."""
    handshake_us: Latency
    """How long they took, from the open TCP connection, in microseconds; zeros without any."""
    handshake_cpu_us: Amount
    """CPU microseconds of this side for each handshake."""


class Http2Spoken(Yielded, use_attribute_docstrings=True):
    """HTTP/2 as the load met it."""

    streams: Count
    """Requests at once on each connection, at most."""
    connections: Count
    """Whose settings were exchanged."""
    goaways: Count = 0
    """Connections that the server asked to leave."""
    resent: Count = 0
    """Requests sent again, because the server had not processed them."""
    resets: Count = 0
    """Streams that the server reset."""
    abandoned: Count = 0
    """Connections left because nothing had come on them for a whole timeout."""


class UpgradesFailed(Tally):
    """Upgrades that failed, by what was wrong."""

    status: Count = 0
    """It was not 101."""
    accept: Count = 0
    """The accept value did not follow from the key."""
    headers: Count = 0
    """Another header was missing or wrong."""
    malformed: Count = 0
    """The answer was not HTTP."""
    closed: Count = 0
    """The connection ended first."""
    unfinished: Count = 0
    """The timeout or the end of the load came first."""


class WebSocketSpoken(Yielded, use_attribute_docstrings=True):
    """WebSocket as the load met it, with the upgrades from before its start."""

    upgrades: Count
    """Connections that were upgraded, those before the start included."""
    failed_upgrades: UpgradesFailed = UpgradesFailed()
    """Connections that were not, by what was wrong."""
    pings: Count = 0
    """Of the server; of those that come together, the last is answered."""
    closes: Count = 0
    """Connections that the server ended by a close."""


AFTER_END = 0.1
"""Share of the answers that may come after an open load: beyond it they change its rate."""

CUT_OFF = 1.5
"""Times the longest measured latency: a request that took longer unseen makes latencies untrue."""


class LoadResult(Yielded):
    """What a load yielded. Latencies are those of right answers, and None where there was none."""

    started_unix_s: float | None = None
    start_late_us: float | None = None
    """How long after the agreed instant it began; None where none was agreed."""
    stopped_early: bool = False
    elapsed_s: float
    throughput_rps: float
    ok_after_end: int = 0
    """Right answers of an open load that came after it; `throughput_rps` counts them."""
    counts: RequestCounts
    latency_us: Latency | None = None
    longest_unfinished_us: float | None = None
    """How long the longest unfinished request took, as far as it was awaited."""
    latency_from_send_us: Latency | None = None
    latency_with_lost_us: LatencyWithLost | None = None
    send_lag_us: Latency | None = None
    first_byte_us: Latency | None = None
    connect_us: Latency | None = None
    histograms: dict[str, str] = Field(default_factory=dict)
    series: list[SecondOfLoad] = Field(default_factory=list)
    by_request: list[RequestRecord] = Field(default_factory=list)
    errors_detail: list[ErrorDetail] = Field(default_factory=list)
    bytes_received: int = 0
    bytes_sent: int = 0
    connections_opened: int | None = None
    connections_closed_idle: int = 0
    reset_kept_alive: int = 0
    """Requests, of those reset, whose connection had brought answers before, and ended before a
    byte of theirs."""
    connections_unsolicited: int = 0
    protocol: str = ""
    tls: TlsSpoken | None = None
    http2: Http2Spoken | None = None
    websocket: WebSocketSpoken | None = None
    spread: Spread | None = None
    """Of a closed load of the built-in generator."""
    generator: GeneratorSpent
    distinct: list[DistinctAnswers] = Field(default_factory=list)
    changes: ChangesMade = ChangesMade()
    samples: list[KeptAnswer] = Field(default_factory=list)
    machines: MachinesRecord | None = None
    """What each machine did where several made the load."""

    @property
    def rate_before_end(self) -> float | None:
        """Right answers per second of an open load, where so many came after its end that
        `throughput_rps` is untrue: with connections to spare, a server that falls behind is sent
        all that is due, and answers it in its own time."""
        late, ok = self.ok_after_end, self.counts.ok
        return (ok - late) / max(self.elapsed_s, 1e-9) if late > AFTER_END * ok else None

    @property
    def cut_off_us(self) -> float | None:
        """How long a request took that the load's end cut off, where that is so much longer than
        any that was measured that latencies are untrue: the end cuts off the slowest first."""
        measured = self.latency_us.max if self.latency_us else 0.0
        longest = self.longest_unfinished_us
        return longest if longest is not None and longest > CUT_OFF * measured else None

    @property
    def served_unevenly(self) -> Unfairness | None:
        """That the server starved connections or was uneven. One that could not be opened, as its
        error tells, got no answers for another reason."""
        spread, counts = self.spread, self.counts
        if spread is None or counts.refused or counts.client_limit:
            return None
        return spread.unfairness(self.elapsed_s)

    @property
    def busiest_share(self) -> float:
        """CPU of the generator's busiest thread, as a share of a core; of all where they are not
        told apart."""
        each = self.generator.cpu_seconds_by_thread
        return max(each) / max(self.elapsed_s, 1e-9) if each else self.generator_share

    @property
    def generator_share(self) -> float:
        """CPU of the generator, as a share of its threads' cores."""
        whole = max(self.elapsed_s * self.generator.threads, 1e-9)
        return self.generator.cpu_seconds / whole
