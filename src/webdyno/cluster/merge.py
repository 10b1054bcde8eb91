"""The results of a load's parts as the result of one load, in the engine's terms.

Counts are added and histograms merged as they are; quantiles are read from the sums, never computed
from quantiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from webdyno.cluster.distributions import added, of_second, quantiles, with_lost

Result = dict[str, Any]
"""What the engine says of a load: see engine/src/report/mod.rs."""

_SUMS = (
    "bytes_received",
    "bytes_sent",
    "connections_opened",
    "connections_closed_idle",
    "connections_unsolicited",
)
_TALLIES = ("offered", "sent", "ok", "errors", "bytes")
_LATENCIES = {
    "latency_us": "from_intended",
    "latency_from_send_us": "from_send",
    "send_lag_us": "send_lag",
}


def merged(parts: Sequence[Result]) -> Result:
    """One result of all `parts` of a load, in the order of their numbers.

    Raises `ValueError` where they are not parts of one load.
    """
    _refuse_strangers(parts)
    first = parts[0]
    counts = summed(part["counts"] for part in parts)
    elapsed_s = max(part["elapsed_s"] for part in parts)
    histograms = {name: [part["histograms"][name] for part in parts] for name in _names(first)}
    is_open = first["latency_with_lost_us"] is not None
    lost = sum(part["latency_with_lost_us"]["lost"] for part in parts) if is_open else 0
    whole = {
        "started_unix_s": min(part["started_unix_s"] for part in parts),
        "start_late_us": max((part["start_late_us"] or 0.0) for part in parts),
        "elapsed_s": elapsed_s,
        "throughput_rps": counts["ok"] / elapsed_s if elapsed_s > 0 else 0.0,
        "stopped_early": any(part["stopped_early"] for part in parts),
        "counts": counts,
        "latency_with_lost_us": with_lost(histograms["from_intended"], lost) if is_open else None,
        "histograms": {name: added(encoded) for name, encoded in histograms.items()},
        "series": _series(parts),
        "by_request": _by_request(parts),
        "errors_detail": _errors_detail(parts),
        "protocol": first["protocol"],
        "tls": _tls(parts),
        "http2": _http2(parts),
        "generator": _generator(parts, counts["sent"]),
        "distinct": _distinct(parts),
        "changes": _changes(parts),
        "samples": sorted(
            (sample for part in parts for sample in part["samples"]), key=lambda one: one["at_s"]
        ),
    }
    for key, name in _LATENCIES.items():
        whole[key] = quantiles(histograms[name], [part[key] for part in parts])
    for key, name in (("first_byte_us", "first_byte"), ("connect_us", "connect")):
        encoded = [part["merging"][name] for part in parts]
        whole[key] = quantiles(encoded, [part[key] for part in parts])
    return {**whole, **{key: sum(part[key] for part in parts) for key in _SUMS}}


def summed(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    """The sum of counts, key by key."""
    total: dict[str, int] = {}
    for one in counts:
        for key, value in one.items():
            total[key] = total.get(key, 0) + value
    return total


def _names(result: Result) -> list[str]:
    return list(result["histograms"])


def _refuse_strangers(parts: Sequence[Result]) -> None:
    if not parts:
        raise ValueError("a load has at least one part")
    if any(part["merging"] is None for part in parts):
        raise ValueError("the result of a whole load is no part of one")
    for what, of in {
        "protocol": [part["protocol"] for part in parts],
        "requests": [[one["name"] for one in part["by_request"]] for part in parts],
        "changes of state": [part["changes"]["changes"] for part in parts],
        "model": [part["latency_with_lost_us"] is None for part in parts],
    }.items():
        if any(one != of[0] for one in of):
            raise ValueError(f"the parts differ in their {what}: they are not of one load")


def _series(parts: Sequence[Result]) -> list[dict[str, Any]]:
    """A row a second. A part whose last seconds were empty may have fewer."""
    seconds: dict[int, list[tuple[dict[str, Any], str]]] = {}
    for part in parts:
        for row, encoded in zip(part["series"], part["merging"]["series"], strict=True):
            seconds.setdefault(row["second"], []).append((row, encoded))
    return [
        {
            "second": second,
            **{key: sum(row[key] for row, _ in found) for key in _TALLIES},
            **of_second([encoded for _, encoded in found]),
        }
        for second, found in sorted(seconds.items())
    ]


def _by_request(parts: Sequence[Result]) -> list[dict[str, Any]]:
    merged_requests = []
    for index, first in enumerate(parts[0]["by_request"]):
        named = [part["by_request"][index] for part in parts]
        encoded = [part["merging"]["by_request"][index] for part in parts]
        merged_requests.append(
            {
                "name": first["name"],
                "counts": summed(one["counts"] for one in named),
                "latency_us": quantiles(encoded, [one["latency_us"] for one in named]),
            }
        )
    return merged_requests


def _distinct(parts: Sequence[Result]) -> list[dict[str, Any]]:
    """Each part has looked for repeats among its own answers."""
    found: dict[str, dict[str, Any]] = {}
    for one in (one for part in parts for one in part["distinct"]):
        known = found.setdefault(one["request"], {**one, "answers": 0, "kept": 0, "repeated": 0})
        for key in ("answers", "kept", "repeated"):
            known[key] += one[key]
        known["one_in"] = max(known["one_in"], one["one_in"])
    return list(found.values())


def _changes(parts: Sequence[Result]) -> dict[str, int]:
    """Every part was told of the same changes; which counts it saw followed is its own."""
    followed = sum(part["changes"]["counts_followed"] for part in parts)
    return {**parts[0]["changes"], "counts_followed": followed}


def _errors_detail(parts: Sequence[Result]) -> list[dict[str, Any]]:
    """Alike ones together, the most frequent first."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for part in parts:
        for line in part["errors_detail"]:
            key = (line["kind"], line["request"] or "", line["detail"])
            known = found.setdefault(key, {**line, "count": 0})
            known["count"] += line["count"]
    return sorted(found.values(), key=lambda line: -int(line["count"]))


def _tls(parts: Sequence[Result]) -> dict[str, Any] | None:
    spoken = [(part["tls"], part["merging"]["handshake"]) for part in parts if part["tls"]]
    if not spoken:
        return None
    reports = [report for report, _ in spoken]
    agreed = next((report for report in reports if report["version"]), reports[0])
    shaken = [
        report["full_handshakes"]
        + report["resumed_handshakes"]
        + sum(report["failed_handshakes"].values())
        for report in reports
    ]
    cpu_us = sum(
        report["handshake_cpu_us"] * count for report, count in zip(reports, shaken, strict=True)
    )
    return {
        **{key: agreed[key] for key in ("version", "cipher_suite", "alpn")},
        "full_handshakes": sum(report["full_handshakes"] for report in reports),
        "resumed_handshakes": sum(report["resumed_handshakes"] for report in reports),
        "failed_handshakes": summed(report["failed_handshakes"] for report in reports),
        "handshake_us": quantiles(
            [encoded for _, encoded in spoken], [report["handshake_us"] for report in reports]
        ),
        "handshake_cpu_us": cpu_us / max(sum(shaken), 1),
    }


def _http2(parts: Sequence[Result]) -> dict[str, Any] | None:
    spoken = [part["http2"] for part in parts if part["http2"]]
    if not spoken:
        return None
    return {**summed(spoken), "streams": spoken[0]["streams"]}


def _generator(parts: Sequence[Result], sent: int) -> dict[str, Any]:
    generators = [part["generator"] for part in parts]
    sums = ("cpu_seconds", "cpu_user_s", "cpu_system_s", "threads", "late_own", "late_waited")
    total = {key: sum(one[key] for one in generators) for key in sums}
    return {
        **total,
        "cpu_us_per_request": total["cpu_seconds"] * 1e6 / sent if sent else 0.0,
        "cpu_seconds_by_thread": [
            seconds for one in generators for seconds in one["cpu_seconds_by_thread"]
        ],
        "cpus": [],
        "reactor": ", ".join(dict.fromkeys(one["reactor"] for one in generators)),
    }
