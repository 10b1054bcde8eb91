"""What the engine writes of a load, for `hit`."""

from __future__ import annotations

import json
from typing import Any

from webdyno.generators import engine
from webdyno.generators.result import LoadResult
from webdyno.generators.specification import ClosedShape, OpenShape, PhaseSpec

CLOSED = ClosedShape(connections=64, duration_s=10.0)
OPEN = OpenShape(
    connections=8,
    arrivals="poisson",
    phases=[PhaseSpec(rate=100.0, to_rate=300.0, duration_s=60.0)],
)
KINDS = ("wrong_status", "failed_check", "refused", "reset", "timed_out", "malformed", "not_sent")


def parsed_output(output: dict[str, Any]) -> LoadResult:
    """The result that is read from the engine's `output`."""
    return engine.parse(json.dumps({"connections_opened": 0, **output}))


def engine_output(
    *, cpu_s: float = 1.0, threads: int = 1, lag_us: float = 5.0, **kinds: int
) -> dict[str, Any]:
    """A load of 10 s with 1,000 right answers beside `kinds`."""
    counts = {"ok": 1000, **dict.fromkeys(KINDS, 0), "unfinished": 0} | kinds
    counts["sent"] = sum(counts.values()) - counts["refused"] - counts["not_sent"]
    counts["offered"] = counts["sent"] + counts["refused"] + counts["not_sent"]
    latency = {"p50": 250.0, "p90": 900.0, "p99": 5800.0, "p999": 12_000.0}
    latency |= {"max": 2_500_000.0, "mean": 635.914, "min": 80.0}
    generator = {"cpu_seconds": cpu_s, "cpu_us_per_request": 4.91, "threads": threads}
    generator |= {"reactor": "epoll", "late_own": 0, "late_waited": 0}
    return {
        "elapsed_s": 10.0,
        "throughput_rps": counts["ok"] / 10.0,
        "stopped_early": False,
        "counts": counts,
        "latency_us": latency,
        "latency_from_send_us": latency,
        "send_lag_us": {**latency, "p99": lag_us},
        "errors_detail": [
            {"kind": kind, "request": "/hello", "detail": f"why {kind}", "count": count}
            for kind, count in kinds.items()
        ],
        "bytes_received": 17_760_000,
        "generator": generator,
    }


def output_without_ports(requests: int) -> dict[str, Any]:
    """The same, where so many more `requests` found no open file or port to be had."""
    output = engine_output(client_limit=requests)
    output["counts"]["offered"] += requests
    output["counts"]["sent"] -= requests
    return output
