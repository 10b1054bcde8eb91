"""Integrity tests: what must hold of any honest measurement. A failed one is never silent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from webdyno.catalog.abilities import abilities_of
from webdyno.verdict.bottleneck import BUSY, IDLE_CONNECTIONS, OCCUPIED, OFFERED_ENOUGH
from webdyno.verdict.types import Flag

_OURS = "a bug in the generator; report it and discard the trial"

REMEDIES = {
    "no-answers": "read the server's log and the errors by kind",
    "counts": _OURS,
    "quantiles": _OURS,
    "throughput": _OURS,
    "littles-law": _OURS,
    "errors": "read the errors by kind: failing can be quicker than answering",
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
ERROR_KINDS = ("wrong_status", "failed_check", "malformed", "refused", "reset", "timed_out")

ROUNDING = 0.002
"""Quantiles of a histogram of three significant digits may disagree by this much."""

LITTLE_EXCESS = 0.02
"""How much busier than always connections may seem: only rounding can do it."""

FAILED_PART = 0.01
"""Part of failed requests above which Little's law says nothing: they hold connections for times
that the latencies of right answers do not know."""

LAG_LIMIT_US = 1000.0
"""A send one millisecond late is not the timers' doing: they are about 50 us late by default."""

BEHIND_LIMIT = 0.02
"""Part of the requests that a generator of its own clock may be behind its schedule: a moment's."""

FEW_ANSWERS = 1000
"""Answers of which fewer than ten lie beyond the 99th percentile."""

_ORDER = ("min", "p50", "p90", "p99", "p999", "max")
_Seen = Iterator[tuple[str, str]]


def check(measurement: Mapping[str, Any], load: Mapping[str, Any] | None = None) -> list[Flag]:
    """Flags of a measurement, given with the field names of `store.records.Measurement`; [] where
    it is sound.

    `load` is the study's: its `kind` (`closed`, `open`, `iterations`) and `connections`. What is
    not given, or what a generator does not report (foreign ones know less), is not tested.
    """
    load = load or {}
    found = [*_counts(measurement["counts"]), *_generator(measurement, load)]
    if measurement["counts"].get("ok"):
        found += [*_quantiles(measurement), *_throughput(measurement)]
        found += _little(measurement, load)
    return [Flag(code, f"{seen}; {REMEDIES[code]}") for code, seen in found]


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


def ended_first(counts: Mapping[str, int]) -> bool:
    """Whether the load ended before anything was answered, rightly or not."""
    answered = counts.get("ok") or any(counts.get(kind) for kind in ERROR_KINDS)
    return bool(counts.get("unfinished")) and not answered


def _counts(counts: Mapping[str, int]) -> _Seen:
    if {"offered", "sent", "not_sent", "refused", *SENT_KINDS} <= counts.keys():
        by_kind = sum(counts[kind] for kind in SENT_KINDS)
        if counts["sent"] != by_kind:
            text = f"{counts['sent']} requests were sent, but their outcomes add up to {by_kind}"
            yield "counts", text
        offered = counts["sent"] + counts["not_sent"] + counts["refused"]
        offered += counts.get("client_limit", 0)
        if counts["offered"] != offered:
            text = f"{counts['offered']} requests were offered, but their outcomes add up to"
            yield "counts", f"{text} {offered}"
    ok = counts.get("ok", 0)
    errors = {kind: counts[kind] for kind in ERROR_KINDS if counts.get(kind)}
    if ended_first(counts):
        yield "no-answers", "the load ended before the server had answered anything"
    elif ok == 0:
        yield "no-answers", "the server gave no correct answer under load"
    elif ok < FEW_ANSWERS:
        yield "few-answers", f"only {ok} answers"
    if errors:
        kinds = ", ".join(f"{kind} {count}" for kind, count in errors.items())
        yield "errors", f"{sum(errors.values())} requests failed ({kinds})"
    if limited := counts.get("client_limit"):
        yield (
            "client-limit",
            f"{limited} requests found no free file descriptor or port on this machine",
        )


def _quantiles(measurement: Mapping[str, Any]) -> _Seen:
    for name in ("latency_us", "latency_from_send_us", "send_lag_us"):
        latency = measurement.get(name)
        if not latency:
            continue
        known = [(key, latency[key]) for key in _ORDER if latency.get(key) is not None]
        for (lower, small), (upper, large) in pairwise(known):
            if small > large * (1 + ROUNDING):
                yield "quantiles", f"{name}: {lower} {small:g} is above {upper} {large:g}"
        if latency["mean"] > latency["max"] * (1 + ROUNDING):
            yield "quantiles", f"{name}: the mean is above the maximum"
    intended, sent = measurement.get("latency_us"), measurement.get("latency_from_send_us")
    # The intended send is never after the actual one; 1 us for clocks that round.
    if intended and sent and sent["mean"] > intended["mean"] * (1 + ROUNDING) + 1:
        yield "quantiles", "answers took longer from the send than from the intended send"


def _throughput(measurement: Mapping[str, Any]) -> _Seen:
    rate, elapsed, ok = (
        measurement["throughput_rps"],
        measurement.get("elapsed_s"),
        measurement["counts"]["ok"],
    )
    if elapsed and abs(rate * elapsed - ok) > max(1.0, 0.001 * ok):
        yield "throughput", f"{rate:g}/s for {elapsed:g} s does not make {ok} answers"


def _little(measurement: Mapping[str, Any], load: Mapping[str, Any]) -> _Seen:
    latency, counts = measurement.get("latency_us"), measurement["counts"]
    connections = load.get("connections")
    failed = sum(counts.get(kind, 0) for kind in (*ERROR_KINDS, "client_limit"))
    if load.get("kind") != "closed" or not (latency and connections):
        return
    if abilities_of(load.get("generator")).figures.adds_slow:
        return  # The mean of latencies that were made up is of no use here.
    residual = little_residual(measurement["throughput_rps"], latency["mean"], connections)
    if residual < -LITTLE_EXCESS:
        yield "littles-law", f"connections were busy for {1 - residual:.0%} of the time"
    elapsed = measurement.get("elapsed_s")
    if elapsed:
        rate = measurement["throughput_rps"]
        residual = idle_share(rate, latency["mean"], connections, elapsed)
    if residual > IDLE_CONNECTIONS and failed <= FAILED_PART * counts["ok"]:
        idled = f"connections idled for {residual:.0%} of the time"
        opened = (measurement.get("generator") or {}).get("connections_opened") or 0
        if opened > 2 * connections and not _is_occupied(measurement):
            yield "reconnecting", f"{idled} because they were opened {opened:,} times"
        else:
            yield "idle-connections", idled


def _generator_share(measurement: Mapping[str, Any]) -> float | None:
    """CPU share of the generator's busiest thread; of all of them where each is not known."""
    use = (measurement.get("cpu") or {}).get("generator", {})
    busiest: float | None = use.get("busiest_thread_share")
    mean: float | None = use.get("share")
    return mean if busiest is None else busiest


def _is_occupied(measurement: Mapping[str, Any]) -> bool:
    """Whether the generator was too busy to send at once; True where that is not known."""
    share = _generator_share(measurement)
    return share is None or share >= OCCUPIED


def _generator(measurement: Mapping[str, Any], load: Mapping[str, Any]) -> _Seen:
    share = _generator_share(measurement)
    if share is not None and share >= BUSY:
        by_thread = measurement["cpu"]["generator"].get("busiest_thread_share") is not None
        told = "a thread of the generator used {:.0%} of its core"
        told = told if by_thread else "the generator used {:.0%} of its cores"
        yield "generator-limit", told.format(share)
    if load.get("kind") != "open":
        return
    counts = measurement["counts"]
    sent = counts["sent"] / counts["offered"] if counts.get("offered") else 1.0
    if sent < OFFERED_ENOUGH:
        yield "schedule", f"only {sent:.1%} of the scheduled requests were sent"
    behind = (measurement.get("generator") or {}).get("behind_share") or 0.0
    if behind > BEHIND_LIMIT:
        yield "schedule", f"the generator fell behind its schedule by {behind:.1%} of the requests"
    lag = measurement.get("send_lag_us")
    if lag and lag["p99"] > LAG_LIMIT_US:
        late = f"{lag['p99'] / 1000:.1f} ms"
        found = measurement.get("generator") or {}
        if (found.get("late_waited") or 0) > (found.get("late_own") or 0):
            yield "few-connections", f"1% of requests waited {late} or more for a free connection"
        else:
            yield "send-lag", f"1% of requests were sent {late} or more late"
