"""Integrity tests: what must hold of any honest measurement. A failed one is never silent."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from webdyno.catalog.loads.load import Closed, Load, Objective, Open
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import Measurement
from webdyno.verdict.limits.limit import BUSY, IDLE_CONNECTIONS, OCCUPIED, OFFERED_ENOUGH
from webdyno.verdict.types import Flag

_OURS = "a bug in the generator; report it and discard the trial"

REMEDIES = {
    "no-answers": "read the server's log and the errors by kind",
    "counts": _OURS,
    "quantiles": _OURS,
    "throughput": _OURS,
    "littles-law": _OURS,
    "errors": "see the errors by kind; failing can be faster than answering",
    "few-answers": "measure longer: p99 rests on fewer than ten answers",
    "client-limit": "they never reached the server: use fewer connections, or raise the limit of "
    "open files (ulimit -Hn) or of ports (net.ipv4.ip_local_port_range)",
    "idle-connections": "give the generator more threads or cores, or use fewer connections",
    "reconnecting": "let the server keep connections alive, or accept the cost",
    "generator-limit": "give the generator more threads or cores; the server may be faster",
    "schedule": "the load was lighter than requested; lower the rate or add connections",
    "send-lag": "the generator was held up, which latencies include; give it a core of its own",
    "few-connections": "latencies include the wait; add connections or lower the rate",
}
"""Every code with its remedy; docs/verdict.md explains them."""

FORBIDS_RANKING = frozenset({"no-answers", "counts", "quantiles", "throughput", "littles-law"})
"""Codes of a measurement that is none, or contradicts itself."""

SENT_KINDS = (
    "ok",
    "wrong_status",
    "failed_check",
    "reset",
    "timed_out",
    "malformed",
    "unfinished",
)
FAILED_KINDS = ("wrong_status", "failed_check", "malformed", "refused", "reset", "timed_out")

ROUNDING = 0.002
"""Quantiles of a histogram of three significant digits may disagree by this much."""

LITTLE_EXCESS = 0.02
"""How much busier than always connections may seem: only rounding can do it."""

FAILED_PART = 0.01
"""Part of failed requests above which Little's law says nothing: they hold connections for times
that the latencies of right answers do not know."""

LAG_LIMIT_US = 1000.0
"""A send one millisecond late is not the timers' doing: they are about 50 µs late by default."""

BEHIND_LIMIT = 0.02
"""Part of the requests that a generator of its own clock may be behind its schedule: a moment's."""

FEW_ANSWERS = 1000
"""Answers of which fewer than ten lie beyond the 99th percentile."""

_ORDER = ("min", "p50", "p90", "p99", "p999", "max")
_Seen = Iterator[tuple[str, str]]


def check(measured: Measurement, load: Load) -> list[Flag]:
    """Flags of a measurement under `load`, which is settled; [] where it is sound.

    What a generator does not report (foreign ones know less) is not tested.
    """
    problems = [*_counts(measured.counts), *_generator(measured, load)]
    if measured.counts.ok:
        problems += [*_quantiles(measured), *_throughput(measured)]
        if isinstance(load, Closed):
            problems += _little(measured, load)
    return [Flag(code, f"{seen}; {REMEDIES[code]}") for code, seen in problems]


def little_residual(throughput_rps: float, mean_latency_us: float, connections: int) -> float:
    """Part of the connections' time in which no request was under way (closed load).

    Little's law (1961, Operations Research 9, 383-387): requests under way = throughput x mean
    latency. Below zero by more than rounding, the figures contradict each other.
    """
    return 1 - throughput_rps * mean_latency_us / 1e6 / connections


def idle_share(
    throughput_rps: float, mean_latency_us: float, connections: int, elapsed_s: float
) -> float:
    """Part of the connections' time in which surely no request was under way (closed load).

    The residual counts the requests that the load's end cut off as if they had not been: they are
    in no mean. Of a server that answers a connection less than once in the load they are most of
    what happened. So a connection without any answer was busy all the time, and each other one for
    about a mean latency at the end.
    """
    answered = min(throughput_rps * elapsed_s, connections)
    at_the_end_s = answered * min(mean_latency_us / 1e6, elapsed_s)
    never_s = (connections - answered) * elapsed_s
    cut_off = (never_s + at_the_end_s) / (connections * elapsed_s)
    return little_residual(throughput_rps, mean_latency_us, connections) - cut_off


def ended_first(counts: RequestCounts) -> bool:
    """Whether the load ended before anything was answered, rightly or not."""
    return counts.unfinished > 0 and not counts.of(("ok", *FAILED_KINDS))


def _counts(counts: RequestCounts) -> _Seen:
    if counts.sent != (by_kind := counts.of(SENT_KINDS)):
        text = f"{counts.sent} requests were sent, but their outcomes add up to {by_kind}"
        yield "counts", text
    if counts.offered != (offered := counts.of(("sent", "not_sent", "refused", "client_limit"))):
        text = f"{counts.offered} requests were offered, but their outcomes add up to"
        yield "counts", f"{text} {offered}"
    if ended_first(counts):
        yield "no-answers", "the load ended before the server had answered anything"
    elif counts.ok == 0:
        yield "no-answers", "the server gave no correct answer under load"
    elif counts.ok < FEW_ANSWERS:
        yield "few-answers", f"only {counts.ok} answers"
    if errors := counts.of(FAILED_KINDS):
        yield "errors", f"{errors} requests failed ({counts.text_of(FAILED_KINDS)})"
    if limited := counts.client_limit:
        yield (
            "client-limit",
            f"{limited} requests found no free file descriptor or port on this machine",
        )


def _quantiles(measured: Measurement) -> _Seen:
    intended, sent = measured.latency_us, measured.latency_from_send_us
    for name, latency in (
        ("latency_us", intended),
        ("latency_from_send_us", sent),
        ("send_lag_us", measured.send_lag_us),
    ):
        if latency is None:
            continue
        known = [(quantile, float(getattr(latency, quantile))) for quantile in _ORDER]
        for (lower, small), (upper, large) in pairwise(known):
            if small > large * (1 + ROUNDING):
                yield "quantiles", f"{name}: {lower} {small:g} is above {upper} {large:g}"
        if latency.mean > latency.max * (1 + ROUNDING):
            yield "quantiles", f"{name}: the mean is above the maximum"
    # The intended send is never after the actual one; 1 µs for clocks that round.
    if intended and sent and sent.mean > intended.mean * (1 + ROUNDING) + 1:
        yield "quantiles", "answers took longer from the send than from the intended send"


def _throughput(measured: Measurement) -> _Seen:
    rate, elapsed, ok = measured.throughput_rps, measured.elapsed_s, measured.counts.ok
    if elapsed and abs(rate * elapsed - ok) > max(1.0, 0.001 * ok):
        yield "throughput", f"{rate:g}/s for {elapsed:g} s does not make {ok} answers"


def _little(measured: Measurement, load: Closed) -> _Seen:
    latency, connections = measured.latency_us, load.settled_connections
    if latency is None or load.abilities.figures.adds_slow:
        return  # The mean of latencies that were made up is of no use here.
    rate, elapsed = measured.throughput_rps, measured.elapsed_s
    residual = little_residual(rate, latency.mean, connections)
    if residual < -LITTLE_EXCESS:
        yield "littles-law", f"connections were busy for {1 - residual:.0%} of the time"
    if elapsed:
        residual = idle_share(rate, latency.mean, connections, elapsed)
    failed = measured.counts.of((*FAILED_KINDS, "client_limit"))
    if residual > IDLE_CONNECTIONS and failed <= FAILED_PART * measured.counts.ok:
        idled = f"connections idled for {residual:.0%} of the time"
        opened = measured.generator.connections_opened or 0
        if opened > 2 * connections and not _is_occupied(measured):
            yield "reconnecting", f"{idled} because they were opened {opened:,} times"
        else:
            yield "idle-connections", idled


def _generator_share(measured: Measurement) -> float | None:
    """CPU share of the generator's busiest thread; of all of them where each is not known."""
    use = measured.cpu.get("generator")
    if use is None:
        return None
    return use.share if use.busiest_thread_share is None else use.busiest_thread_share


def _is_occupied(measured: Measurement) -> bool:
    """Whether the generator was too busy to send at once; True where that is not known."""
    share = _generator_share(measured)
    return share is None or share >= OCCUPIED


def _generator(measured: Measurement, load: Load) -> _Seen:
    share = _generator_share(measured)
    if share is not None and share >= BUSY:
        by_thread = measured.cpu["generator"].busiest_thread_share is not None
        told = "a thread of the generator used {:.0%} of its core"
        told = told if by_thread else "the generator used {:.0%} of its cores"
        yield "generator-limit", told.format(share)
    if not isinstance(load, Open | Objective):
        return
    counts, made = measured.counts, measured.generator
    sent = counts.sent / counts.offered if counts.offered else 1.0
    if sent < OFFERED_ENOUGH:
        yield "schedule", f"only {sent:.1%} of the scheduled requests were sent"
    behind = made.behind_share or 0.0
    if behind > BEHIND_LIMIT:
        yield "schedule", f"the generator fell behind its schedule by {behind:.1%} of the requests"
    lag = measured.send_lag_us
    if lag and lag.p99 > LAG_LIMIT_US:
        late = f"{lag.p99 / 1000:.1f} ms"
        if (made.late_waited or 0) <= (made.late_own or 0):
            yield "send-lag", f"1% of requests were sent {late} or more late"
        elif isinstance(load, Open):
            # In a step of a search all connections may wait for the server: that is the limit
            # which is searched for.
            yield "few-connections", f"1% of requests waited {late} or more for a free connection"
