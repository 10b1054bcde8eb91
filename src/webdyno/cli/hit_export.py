"""The result of `hit` as JSON; its schema is schemas/hit.schema.json."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from webdyno import __version__
from webdyno.cli.hit_warnings import warnings
from webdyno.errors import UserError

FORMAT = 1
"""Counts up when a key changes its meaning or goes."""

_LATENCIES = ("latency_us", "latency_from_send_us", "send_lag_us", "first_byte_us", "connect_us")


def document(url: str, spec: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """The document that `write` writes."""
    request = spec["requests"][0]
    started = datetime.fromtimestamp(result["started_unix_s"], UTC)
    known = {key: result[key] for key in _LATENCIES}
    if not result["counts"]["ok"]:
        # Without a single right answer there is no latency, and 0 µs would be the best of all.
        known |= {"latency_us": None, "latency_from_send_us": None, "first_byte_us": None}
    if not result["counts"]["sent"]:
        known["send_lag_us"] = None
    if not result["connections_opened"]:
        known["connect_us"] = None
    return {
        "format": FORMAT,
        "webdyno": __version__,
        "url": url,
        "method": request["method"],
        "load": spec["load"],
        "timeout_s": spec["timeout_s"],
        "seed": spec["seed"],
        "started": started.isoformat(timespec="milliseconds"),
        "elapsed_s": result["elapsed_s"],
        "stopped_early": result["stopped_early"],
        "throughput_rps": result["throughput_rps"],
        **known,
        "latency_with_lost_us": result["latency_with_lost_us"],
        "counts": result["counts"],
        "by_request": [_named(one) for one in result["by_request"]],
        "errors_detail": result["errors_detail"],
        "bytes_received": result["bytes_received"],
        "bytes_sent": result["bytes_sent"],
        "connections_opened": result["connections_opened"],
        "connections_closed_idle": result["connections_closed_idle"],
        "connections_unsolicited": result["connections_unsolicited"],
        "protocol": result["protocol"],
        "tls": result["tls"],
        "http2": result["http2"],
        "series": result["series"],
        "histograms": result["histograms"],
        "generator": result["generator"],
        "warnings": [
            {"code": warning.code, "message": warning.message}
            for warning in warnings(result, spec["load"])
        ],
    }


def _named(one: dict[str, Any]) -> dict[str, Any]:
    return one if one["counts"]["ok"] else {**one, "latency_us": None}


def check_writable(path: Path) -> None:
    """Raise `UserError` now for what would fail only after the load."""
    if path.is_dir():
        raise UserError(f"--json: {path} is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise UserError(f"--json: {path}: its folder does not exist; create it first")


def write(path: Path, data: dict[str, Any]) -> None:
    """Write the document. Raises `UserError` where that fails."""
    try:
        path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"--json: {path} cannot be written: {error.strerror}") from None
