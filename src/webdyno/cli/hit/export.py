"""The result of `hit` as JSON; its schema is schemas/hit.schema.json."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from webdyno import __version__
from webdyno.cli.hit.warnings import warnings
from webdyno.generators.result import LoadResult
from webdyno.generators.specification import LoadSpec

FORMAT = 1
"""Counts up when a key changes its meaning or goes."""

_OF_GENERATOR = (
    "cpu_seconds", "cpu_user_s", "cpu_system_s", "cpu_us_per_request", "threads",
    "cpu_seconds_by_thread", "cpus", "reactor", "late_own", "late_waited",
)  # fmt: skip
_LATENCIES = ("latency_us", "latency_from_send_us", "send_lag_us", "first_byte_us", "connect_us")


def document(url: str, spec: LoadSpec, result: LoadResult) -> dict[str, Any]:
    """The document, which `text` makes a file of."""
    (request,) = spec.requests
    assert result.started_unix_s is not None
    started = datetime.fromtimestamp(result.started_unix_s, UTC)
    held = result.model_dump(mode="json")
    return {
        "format": FORMAT,
        "webdyno": __version__,
        "url": url,
        "method": request.method,
        "load": spec.load.model_dump(),
        "timeout_s": spec.timeout_s,
        "seed": spec.seed,
        "started": started.isoformat(timespec="milliseconds"),
        "elapsed_s": held["elapsed_s"],
        "stopped_early": held["stopped_early"],
        "throughput_rps": held["throughput_rps"],
        **{key: held[key] for key in _LATENCIES},
        "latency_with_lost_us": held["latency_with_lost_us"],
        "counts": held["counts"],
        "by_request": held["by_request"],
        "errors_detail": held["errors_detail"],
        "bytes_received": held["bytes_received"],
        "bytes_sent": held["bytes_sent"],
        "connections_opened": held["connections_opened"],
        "connections_closed_idle": held["connections_closed_idle"],
        "connections_unsolicited": held["connections_unsolicited"],
        "protocol": held["protocol"],
        "tls": held["tls"],
        "http2": held["http2"],
        "websocket": held["websocket"],
        "series": held["series"],
        "histograms": held["histograms"],
        "generator": {key: held["generator"][key] for key in _OF_GENERATOR},
        "warnings": [
            {"code": warning.code, "message": warning.message}
            for warning in warnings(result, spec.load)
        ],
    }


def text(data: dict[str, Any]) -> str:
    """The document as a file holds it."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
