"""What casts doubt on a load's figures, each with its remedy."""

from __future__ import annotations

import os
from dataclasses import dataclass

from webdyno.generators.result import LoadResult
from webdyno.generators.specification import OpenShape, Shape
from webdyno.generators.spread import STARVED, UNEVEN
from webdyno.report.numbers import counted, percent, percent_of
from webdyno.store.counts import ERROR_KINDS
from webdyno.store.document import described
from webdyno.words import duration

GENERATOR_LIMIT = 0.9
"""Share of its cores above which the generator, not the server, may set the pace."""

JUDGED_S = 0.2
"""A shorter load says nothing of the generator's share: starting it is most of what it did."""

LATE_US = 1000.0
"""A 99th percentile of send lag above this means that the schedule was not held."""


@described
@dataclass(frozen=True)
class Caution:
    """What casts doubt on a load's figures."""

    code: str
    """Stable, for machines."""
    message: str
    """One line that ends with the remedy."""


def warnings(result: LoadResult, load: Shape) -> list[Caution]:
    """What to know before believing `result`."""
    found = [_generator_bound(result), _schedule_missed(result, load), _cut_off(result)]
    found += [_uneven(result), _answered_after(result), *_errors(result)]
    return [warning for warning in found if warning is not None]


def generator_share(result: LoadResult) -> float:
    """CPU time of the generator, as a share of the cores its threads could use: of this machine, or
    of several."""
    generator = result.generator
    cores = generator.cores or min(generator.threads, available_cores())
    return generator.cpu_seconds / max(result.elapsed_s * cores, 1e-9)


def available_cores() -> int:
    """Cores this process may run on."""
    return len(os.sched_getaffinity(0))


def _generator_bound(result: LoadResult) -> Caution | None:
    share = generator_share(result)
    if share <= GENERATOR_LIMIT or result.elapsed_s < JUDGED_S:
        return None
    threads = result.generator.threads
    cores = min(threads, available_cores())
    remedy = (
        f"give it more threads (-t {threads + 1})"
        if threads < available_cores()
        else "this machine has no more cores, so generate the load on a larger one"
    )
    text = f"the generator used {percent(share)} of its {counted(cores, 'core')}"
    return Caution(
        "generator_bound", f"{text}: the rate may be its limit, not the server's; {remedy}"
    )


def _schedule_missed(result: LoadResult, load: Shape) -> Caution | None:
    if not isinstance(load, OpenShape):
        return None
    counts = result.counts
    generator = result.generator
    waited, own = generator.late_waited or 0, generator.late_own or 0
    if counts.not_sent:
        share = percent_of(counts.not_sent, counts.offered)
        cause = (
            "the generator was held up; lower the rate, give it more threads (-t), or stop other "
            "programs"
            if own > waited
            else "every connection was waiting for an answer; lower the rate or add connections "
            f"(-c {2 * load.connections})"
        )
        return Caution(
            "not_sent",
            f"{counted(counts.not_sent, 'request')} ({share}) could not be sent in time: {cause}",
        )
    lag = result.send_lag_us.p99 if result.send_lag_us else 0.0
    if lag > LATE_US:
        remedy = (
            f"all connections were waiting for answers, so add some (-c {2 * load.connections})"
            if waited > own
            else "the generator was held up, so lower the rate, or stop other programs"
        )
        return Caution(
            "sent_late",
            f"1% of requests were sent {lag / 1000:.1f} ms late or more, which their latency "
            f"includes; {remedy}",
        )
    return None


def _answered_after(result: LoadResult) -> Caution | None:
    if (rate_rps := result.rate_before_end) is None:
        return None
    late = result.ok_after_end
    share = percent_of(late, result.counts.ok)
    return Caution(
        "answered_after_end",
        f"{counted(late, 'request')} ({share}) got an answer only after the load had "
        f"ended: while it lasted, the server answered {rate_rps:,.4g}/s, not "
        f"{result.throughput_rps:,.4g}/s; lower the rate, or load for longer (-d)",
    )


def _cut_off(result: LoadResult) -> Caution | None:
    if (longest := result.cut_off_us) is None:
        return None
    unfinished = result.counts.unfinished
    share = percent_of(unfinished, result.counts.sent)
    remedy = "let it run to its end" if result.stopped_early else "load for longer (-d)"
    return Caution(
        "cut_off",
        f"{counted(unfinished, 'request')} ({share}) had no answer when the load ended: no latency "
        f"includes them, though the longest took {duration(longest / 1e6)}; {remedy}",
    )


_WHOSE = {STARVED: "those of the others", UNEVEN: "theirs"}


def _uneven(result: LoadResult) -> Caution | None:
    if (uneven := result.served_unevenly) is None:
        return None
    return Caution(
        uneven.fault,
        f"{uneven.words}, so most latencies are {_WHOSE[uneven.fault]}; use fewer connections (-c)",
    )


_REMEDIES = {
    "wrong_status": "check what `curl -i` gets from the URL",
    "failed_check": "the body is not the expected one",
    "refused": "is the server up, and does it take this many connections (-c)?",
    "reset": "the server closed connections without answering: read its log",
    "timed_out": "the server is overloaded, or needs longer (--timeout)",
    "malformed": "the answers do not follow the requested protocol: see the details above",
    "client_limit": "they never reached the server: use fewer connections (-c), or raise this "
    "machine's limit of open files (ulimit -Hn) or of ports (net.ipv4.ip_local_port_range)",
}

_WITHIN = (
    "the server closed connections in the middle of an answer: read its log, and compare the "
    "length it announces with what it sends"
)
_REASONS = {
    "refused": {
        "certificate:": "name its authority with --cacert FILE, or accept any with --insecure",
        "TLS:": "is this an https:// port, and does it speak the HTTP version asked for?",
        "WebSocket:": "is it the path of the WebSocket, and does it need a header (-H)?",
        "HTTP/2: the server allows 0 ": "it answers nobody: raise its limit of concurrent streams",
        "HTTP/2: the server allows": "ask for as many as it allows (--streams)",
        "HTTP/2:": "try `curl -v --http2-prior-knowledge` on the URL, or leave --http2 out",
    },
    "reset": {
        "HTTP/2: the server sends frames": "the server left them unread: read its log",
        "HTTP/2: the server reset the stream": "the server reset their streams: read its log",
        "HTTP/2: the connection closed in the middle": _WITHIN,
        "truncated_": _WITHIN,
    },
    "timed_out": {
        "the answer was not complete": "their answers began, but did not end in time: allow "
        "more (--timeout), unless the URL is a stream that never ends",
    },
}
"""By kind, what to do about errors of these reasons, by how they begin; the commonest is told."""


_KEPT_ALIVE = (
    "the server closed connections that it had kept alive, without an answer: if it closes them on "
    "purpose, the answer before must say so (`Connection: close`); else read its log"
)


def _remedy(kind: str, result: LoadResult) -> str:
    if kind == "reset" and 2 * result.reset_kept_alive > result.counts.reset:
        return _KEPT_ALIVE
    details = [entry for entry in result.errors_detail if entry.kind == kind]
    commonest = max(details, key=lambda entry: entry.count).detail if details else ""
    for beginning, remedy in _REASONS.get(kind, {}).items():
        if commonest.startswith(beginning):
            return remedy
    return _REMEDIES[kind]


def _errors(result: LoadResult) -> list[Caution]:
    counts, offered = result.counts.by_kind(), result.counts.offered
    return [
        Caution(
            kind,
            f"{counted(counts[kind], 'request')} ({percent_of(counts[kind], offered)}) "
            f"{_VERBS[kind]}; {_remedy(kind, result)}",
        )
        for kind in ERROR_KINDS
        if counts.get(kind) and kind in _REMEDIES
    ]


_VERBS = {
    "wrong_status": "got another status than 2xx",
    "failed_check": "failed a check",
    "refused": "found no connection",
    "reset": "were broken off",
    "timed_out": "were not answered in time",
    "malformed": "got a malformed answer",
    "client_limit": "found no free file descriptor or port on this machine",
}
