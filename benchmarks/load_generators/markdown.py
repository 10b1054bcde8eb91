"""The figures as one Markdown file."""

from collections.abc import Callable, Sequence
from typing import Any

MB = 1_000_000


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def page(figures: dict[str, Any]) -> str:
    """The whole report."""
    machine = figures["machine"]
    parts = [
        "# The engine beside other load generators",
        f"{machine['cpu']}, {machine['cores']} cores, Linux {machine['kernel']}; server on core "
        f"{machine['server_cpu']}, client on core {machine['client_cpu']}; load average "
        f"{machine['load_before'][0]:.1f} before, {machine['load_after'][0]:.1f} after.",
    ]
    if machine["load_before"][0] > 1:
        parts.append(
            "**The machine was busy with other work: only the ratios mean anything, and no figure "
            "of time is the engine's own.**"
        )
    makers: list[tuple[str, Callable[[Any], str]]] = [
        ("closed", _closed),
        ("low_rate", _low_rate),
        ("reactors", _reactors),
        ("truth", _truth),
        ("limits", _limits),
        ("threads", _threads),
        ("tls", _tls),
    ]
    parts += [make(figures[key]) for key, make in makers if key in figures]
    return "\n\n".join(parts) + "\n"


def _closed(closed: dict[str, Any]) -> str:
    rows = [
        [
            name,
            _number(row["cpu_us"]),
            _number(row["cpu_to_floor"]),
            _number(row["engine_cpu_to_it"]),
            _spread(row["engine_cpu_to_it_all"]),
            _number(row["rps"], 0),
            _number(row["rps_to_engine"]),
            _number(row["peak_bytes"] and row["peak_bytes"] / MB, 1),
            _number(row["pushed_off"], 0),
        ]
        for name, row in closed["tools"].items()
    ]
    heads = [
        "client", "CPU µs/request", "÷ floor", "engine ÷ client", "lowest–highest", "answers/s",
        "÷ engine's", "memory MB", "pushed off",
    ]  # fmt: skip
    text = (
        f"## Closed, {closed['connections']} connections, {closed['rounds']} interleaved rounds of "
        f"{closed['seconds']} s\n\nMedians; ratios are medians of those within a round. CPU is the "
        "whole process's. Pushed off: times that others took the client's core."
    )
    return text + "\n\n" + _table(heads, rows)


def _spread(values: Sequence[float]) -> str:
    return f"{values[0]:.2f}–{values[-1]:.2f}" if values else "–"


def _low_rate(low: dict[str, Any]) -> str:
    rows = [
        [name, _number(row["cpu_us"], 1), _number(row["engine_cpu_to_it"])]
        for name, row in low["tools"].items()
    ]
    p50, p999 = low["engine_lag_p50_us"], low["engine_lag_p999_us"]
    text = (
        f"## {low['rate']:,}/s, {low['rounds']} rounds\n\nThe engine's send lag: median "
        f"{_number(p50, 1)} µs, p99.9 {_number(p999, 0)} µs."
    )
    return text + "\n\n" + _table(["client", "CPU µs/request", "engine ÷ client"], rows)


def _reactors(loads: dict[str, Any]) -> str:
    rows = [
        [
            name,
            *(_number(load["cpu_us"][by]) for by in ("epoll", "io_uring")),
            _number(load["uring_to_epoll"]),
            _spread(load["uring_to_epoll_all"]),
            *(_number(load["lag_p50_us"][by], 1) for by in ("epoll", "io_uring")),
        ]
        for name, load in loads.items()
    ]
    heads = [
        "load", "CPU µs/request, epoll", "io_uring", "io_uring ÷ epoll", "lowest–highest",
        "lag p50 µs, epoll", "io_uring",
    ]  # fmt: skip
    return "## Reactors\n\n" + _table(heads, rows)


def _threads(threads: dict[str, Any]) -> str:
    same = (
        "Two threads on the core of one cost "
        f"{_number(threads['same_core_cpu_ratio'])} × its CPU per request."
    )
    if threads["shared_cores_cpu_ratio"] is not None:
        same += (
            " Two threads on two cores, which they share with the server, cost "
            f"{_number(threads['shared_cores_cpu_ratio'])} × the CPU per request of two processes "
            "of one thread each there."
        )
    if "refused" in threads:
        own = f"The rate of two threads on two cores was not measured: {threads['refused']}."
    else:
        own = (
            f"Two threads on two cores: {_number(threads['rps_ratio'])} × the rate of one "
            f"({_number(threads['two_rps'], 0)}/s and {_number(threads['one_rps'], 0)}/s), at "
            f"{_number(threads['cpu_ratio'])} × its CPU per request."
        )
    return f"## Threads\n\n{own} {same}"


def _tls(tls: dict[str, Any]) -> str:
    if "refused" in tls:
        return f"## TLS and HTTP/2\n\nNot measured: {tls['refused']}."
    kept = [
        [
            row["way"],
            row["tool"],
            _number(row["cpu_us"]),
            _number(row["cpu_to_plain"]),
            _number(row["engine_cpu_to_it"]),
            _spread(row["engine_cpu_to_it_all"]),
            _number(row["rps"], 0),
        ]
        for row in tls["kept"]
    ]
    shaken = [
        [
            row["way"],
            row["tool"],
            _number(row["cpu_us"], 0),
            _number(row["said_cpu_us"], 0),
            _number(row["engine_cpu_to_it"]),
            _spread(row["engine_cpu_to_it_all"]),
            _number(row["rate"], 0),
            _number(row["resumed_share"] and 100 * row["resumed_share"], 0),
        ]
        for row in tls["handshakes"]
    ]
    text = (
        f"## TLS and HTTP/2\n\n{tls['connections']} requests at once, {tls['rounds']} interleaved "
        f"rounds of {tls['seconds']} s against Nginx on one core; over HTTP/2 in {tls['streams']} "
        "streams on each connection. CPU is the whole process's, handshakes included."
    )
    heads = ["protocol", "client", "CPU µs/request", "÷ its HTTP/1.1", "engine ÷ client"]
    after = (
        "A connection for each request: what it costs more over TLS than without, which is the "
        "handshake and the ciphering of one answer."
    )
    other = [
        "handshakes", "client", "CPU µs more", "CPU µs by its own account", "engine ÷ client",
        "lowest–highest", "connections/s", "resumed %",
    ]  # fmt: skip
    kept_table = _table([*heads, "lowest–highest", "answers/s"], kept)
    return "\n\n".join([text, kept_table, after, _table(other, shaken)])


def _truth(rows: Sequence[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        happened = row["happened_ms"] or [None] * len(row["truth_ms"])
        figures = zip(row["truth_ms"], happened, row["measured_ms"], row["near"], strict=True)
        lines.append(
            [
                row["tool"],
                row["model"],
                f"{row['rate']:,}/s {row['arrivals']}",
                str(row["connections"]),
                *(" / ".join(map(_number, three)) + _mark(near) for *three, near in figures),
                _number(100 * row["answered_of_asked"], 1) + "%",
                _number(row["pushed_off"], 0),
            ]
        )
    judged = [near for row in rows if row["tool"] == "engine" for near in row["near"]]
    text = (
        "## Truth\n\nSimulated / what the server did by its own clock / measured, ms. What was "
        "measured is judged by what the server did, where that is known, and else by the "
        "simulation; ✗: further off than 3% and 0.3 ms. The engine is near in "
        f"{sum(map(bool, judged))} of {len(judged)}."
    )
    heads = ["client", "server", "load", "connections", "p50", "p95", "p99", "p99.9", "answered"]
    return text + "\n\n" + _table([*heads, "pushed off"], lines)


def _mark(near: bool | None) -> str:
    return " ✗" if near is False else ""


def _limits(limits: dict[str, Any]) -> str:
    many, length, schedule = limits["connections"], limits["length"], limits["schedule"]
    runs = [("", run) for run in schedule["runs"]] + [("median", schedule["medians"])]
    rows = [
        [
            name,
            _number(run["closed_rps"], 0),
            _number(run["asked_rps"], 0),
            _number(100 * run["offered_of_asked"], 2) + "%",
            _number(100 * run["sent_of_asked"], 2) + "%",
            _number(run["not_sent"], 0),
            _number(run["lag_p50_us"], 1),
            _number(run["lag_p999_us"], 0),
            _number(run["least_lag_p999_us"], 0),
            _number(run["stalled_ms"], 1),
        ]
        for name, run in runs
    ]
    heads = [
        "", "closed answers/s", "asked/s", "offered of asked", "sent of asked",
        "not sent in time", "lag p50 µs", "lag p99.9 µs", "least lag p99.9 µs", "stalled ms",
    ]  # fmt: skip
    return "\n\n".join(
        [
            f"## Limits\n\n{many['connections']:,} connections on one thread: "
            f"{_number(many['bytes_each'], 0)} bytes each, CPU per request "
            f"{_number(many['cpu_ratio'])} × that of 64; {_number(many['ok'], 0)} answered, "
            f"{_number(many['unanswered'], 0)} not.",
            "Peak memory of runs of "
            + " and ".join(
                f"{seconds} s: {peak / MB:.1f} MB"
                for seconds, peak in zip(length["seconds"], length["peak_bytes"], strict=True)
            )
            + ".",
            f"Asked for {schedule['share']:.0%} of the closed load's rate, in runs of "
            f"{schedule['seconds']} s on {schedule['connections']} connections. The least lag is "
            "that of a perfect client, for the pauses of both cores watched beside each run:\n\n"
            + _table(heads, rows),
        ]
    )
