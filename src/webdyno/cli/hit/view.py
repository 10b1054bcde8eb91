"""What `hit` prints before and after a load: a summary in the manner of wrk."""

from __future__ import annotations

import math

from rich.console import Console
from rich.text import Text

from webdyno.cli.hit.warnings import Caution, generator_share
from webdyno.generators.malformed import failure_in_words
from webdyno.generators.result import LoadResult
from webdyno.generators.specification import IterationsShape, LoadSpec, OpenShape, PhaseSpec, Shape
from webdyno.report.numbers import counted, percent, size
from webdyno.store.counts import ERROR_KINDS
from webdyno.words import duration

_DETAILS = 8
"""How many different errors are shown."""


def opening(url: str, spec: LoadSpec) -> str:
    """The first two lines, as wrk prints them."""
    load = spec.load
    threads = min(spec.threads, load.connections)
    lines = [f"Running {_length(load)} test @ {url}"]
    if isinstance(load, IterationsShape):
        what = f"{counted(threads, 'thread')} and {counted(load.users, 'user')}"
        lines.append(f"  {what}, {load.iterations:,} requests each{_shared(spec)}{_messages(spec)}")
    else:
        what = f"{counted(threads, 'thread')} and {counted(load.connections, 'connection')}"
        lines.append(f"  {what}{_streams(spec)}{_messages(spec)}")
    if isinstance(load, OpenShape):
        rates = ", ".join(_rate(phase) for phase in load.phases)
        spacing = "at random" if load.arrivals == "poisson" else "evenly"
        lines.append(f"  {rates}, arriving {spacing}, regardless of earlier answers")
    return "\n".join(lines)


def _streams(spec: LoadSpec) -> str:
    return f" of {counted(spec.http2.streams, 'stream')}, HTTP/2" if spec.http2 else ""


def _messages(spec: LoadSpec) -> str:
    return ", WebSocket" if any(request.websocket for request in spec.requests) else ""


def _shared(spec: LoadSpec) -> str:
    if not spec.http2:
        return ""
    return f", HTTP/2, up to {counted(spec.http2.streams, 'user')} on a connection"


def _length(load: Shape) -> str:
    if isinstance(load, IterationsShape):
        return f"{load.requests:,} request"
    return duration(load.seconds() or 0.0)


def _rate(phase: PhaseSpec) -> str:
    rate = f"{phase.rate:,.12g}"
    if phase.to_rate is not None:
        rate += f" to {phase.to_rate:,.12g}"
    return f"{rate} requests/s for {duration(phase.duration_s)}"


def summary(result: LoadResult, load: Shape) -> str:
    """What the load yielded."""
    lines = [*_latencies(result, load), *_requests(result), ""] if result.counts.ok else []
    early = " (ended early)" if result.stopped_early else ""
    received = size(result.bytes_received)
    # A few iterations end within milliseconds, which two decimals of a second would call nothing.
    elapsed_s, answered = result.elapsed_s, counted(result.counts.answered, "request")
    elapsed = f"{elapsed_s:.2f} s" if elapsed_s >= 0.1 else short_time(elapsed_s * 1e6)
    lines.append(f"  {answered} in {elapsed}, {received} read{early}")
    errors = _errors(result)
    lines.extend(errors)
    elapsed_s = max(elapsed_s, 1e-9)
    generator = result.generator
    only = "  (correct answers only)" if errors else ""
    lines.append(f"Requests/sec: {result.throughput_rps:12.2f}{only}")
    lines.append(f"Transfer/sec: {size(result.bytes_received / elapsed_s):>12}")
    lines.append(
        f"Generator:    {generator.cpu_us_per_request or 0.0:.2f} µs of CPU per request, "
        f"{percent(generator_share(result))} of {counted(generator.threads, 'thread')}, "
        f"{generator.reactor}"
    )
    lines.extend(_connections(result))
    lines.extend(_layers(result))
    return "\n".join(lines)


def _connections(result: LoadResult) -> list[str]:
    opened, took = result.connections_opened, result.connect_us
    if not opened or took is None:
        return []
    said = f"median {short_time(took.p50)}, 99% {short_time(took.p99)} to open"
    lines = [f"Connections:  {opened:,} opened, {said}"]
    notes = {
        "closed by the server while idle": result.connections_closed_idle,
        "dropped after unsolicited bytes": result.connections_unsolicited,
    }
    lines.extend(f"              {count:,} {what}" for what, count in notes.items() if count)
    return lines


def _requests(result: LoadResult) -> list[str]:
    """A line for each request name, where there are several."""
    named = result.by_request
    if len(named) < 2:
        return []
    width = max(10, *(len(one.name) for one in named))
    lines = ["", f"  {'':{width}}" + "".join(f"{head:>12}" for head in _OF_NAMES)]
    for one in named:
        counts, latency = one.counts, one.latency_us
        right, wrong = counts["ok"], sum(counts[kind] for kind in _WRONG)
        cells = [f"{counts['sent']:,}", f"{right:,}", f"{wrong:,}"]
        cells += [
            short_time(getattr(latency, key)) if latency else "-" for key in ("p50", "p99", "max")
        ]
        lines.append(f"  {one.name:<{width}}" + "".join(f"{cell:>12}" for cell in cells))
    return lines


_OF_NAMES = ("sent", "correct", "errors", "50%", "99%", "Max")
_WRONG = ("wrong_status", "failed_check", "reset", "timed_out", "malformed")


def _layers(result: LoadResult) -> list[str]:
    """Of TLS, HTTP/2 and WebSocket, where they were spoken."""
    lines = []
    tls, http2, websocket = result.tls, result.http2, result.websocket
    if tls and tls.version:
        shaken = tls.full_handshakes + tls.resumed_handshakes
        took, cpu = short_time(tls.handshake_us.p50), short_time(tls.handshake_cpu_us)
        lines.append(
            f"TLS:          {tls.version}, {tls.cipher_suite}; "
            f"{shaken:,} handshakes ({tls.resumed_handshakes:,} resumed), "
            f"median {took}, 99% {short_time(tls.handshake_us.p99)}, {cpu} of CPU each"
        )
    if http2:
        notes = {
            "GOAWAY": http2.goaways,
            "sent again": http2.resent,
            "streams reset": http2.resets,
            "abandoned": http2.abandoned,
        }
        said = "".join(f", {what}: {count:,}" for what, count in notes.items() if count)
        connections = counted(http2.connections, "connection")
        lines.append(f"HTTP/2:       {connections} of {counted(http2.streams, 'stream')}{said}")
    if websocket:
        failed = sum(count for _, count in websocket.failed_upgrades)
        notes = {"failed": failed, "pings": websocket.pings, "closed": websocket.closes}
        said = "".join(f", {what}: {count:,}" for what, count in notes.items() if count)
        lines.append(f"WebSocket:    {counted(websocket.upgrades, 'upgrade')}{said}")
    return lines


def _latencies(result: LoadResult, load: Shape) -> list[str]:
    """In the open model both counts matter: what a user waits, and what the server took."""
    columns = {"Latency": result.latency_us}
    if isinstance(load, OpenShape):
        columns = {
            "from due time": result.latency_us,
            "from sending": result.latency_from_send_us,
            "sent late by": result.send_lag_us,
        }
    if result.first_byte_us is not None:
        columns["first byte"] = result.first_byte_us
    lines = [f"  {'':6}" + "".join(f"{name:>14}" for name in columns)]
    with_lost = result.latency_with_lost_us
    has_lost = with_lost is not None and with_lost.lost > 0
    if has_lost:
        lines[0] += f"{'with the lost':>14}"
    for label, key in _ROWS.items():
        cells = [f"{short_time(getattr(column, key)):>14}" for column in columns.values()]
        if has_lost and key != "mean":
            at = getattr(with_lost, key, None)
            cells.append(f"{'never' if at is None else short_time(at):>14}")
        lines.append(f"  {label:<6}" + "".join(cells))
    if has_lost:
        lines.append(_LOST)
    if not isinstance(load, OpenShape):
        lines.append(_CLOSED)
    return lines


_LOST = "  (with the lost: a request without a correct answer counts as never answered)"

_CLOSED = (
    "  (a connection sends nothing while it waits, so a stall delays one request\n"
    "  on each; with --rate, latency covers every request that was due)"
)


_ROWS = {
    "Mean": "mean",
    "50%": "p50",
    "90%": "p90",
    "99%": "p99",
    "99.9%": "p999",
    "Max": "max",
}


def short_time(microseconds: float) -> str:
    """Microseconds with two decimals, in the unit that leaves at most three digits before them."""
    if not math.isfinite(microseconds):
        return "?"
    for unit, divisor in (("µs", 1.0), ("ms", 1e3)):
        if microseconds / divisor < 999.95:
            return f"{microseconds / divisor:.2f} {unit}"
    return f"{microseconds / 1e6:.2f} s"


def _errors(result: LoadResult) -> list[str]:
    counts = result.counts.by_kind()
    seen = [kind for kind in ERROR_KINDS if counts.get(kind)]
    kinds = [f"{kind.replace('_', ' ')} {counts[kind]:,}" for kind in seen]
    if not kinds:
        return []
    details = sorted(result.errors_detail, key=lambda entry: -entry.count)
    lines = [f"  Errors: {', '.join(kinds)}"]
    lines.extend(
        f"    {entry.count:,} × {failure_in_words(entry.kind, entry.detail)}"
        for entry in details[:_DETAILS]
    )
    if len(details) > _DETAILS:
        lines.append(f"    and {counted(len(details) - _DETAILS, 'other kind')}")
    return lines


def show_warnings(warnings: list[Caution], console: Console) -> None:
    """One line each, on stderr; a terminal breaks it between words."""
    for warning in warnings:
        text = Text.assemble(("warning: ", "yellow"), warning.message)
        console.print(text, soft_wrap=not console.is_terminal)
