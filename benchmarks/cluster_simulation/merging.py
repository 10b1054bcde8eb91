"""What merging costs: parts as the engine gives them, made of drawn latencies, merged for real."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
from hdrh.histogram import HdrHistogram

from webdyno.cluster.merging.merge import merged
from webdyno.cluster.orders.part_result import PartResult

HOUR_NS = 3_600_000_000_000


def part(seconds: int, rate: int, seed: int) -> dict[str, Any]:
    """A part of a load of so many seconds, in the engine's terms, of latencies around 1 ms."""
    draw = np.random.default_rng(seed)
    sent = seconds * rate
    whole = _histogram(draw, sent, digits=3)
    # Each second's shape is what costs, not its exact counts.
    second = _histogram(draw, rate, digits=2)
    quantiles = {"p50": 900.0, "p90": 2e3, "p99": 4e3, "p999": 8e3}
    quantiles |= {"max": 2e4, "mean": 1e3, "min": 90.0}
    counts = {"offered": sent, "sent": sent, "ok": sent}
    row = {"offered": rate, "sent": rate, "ok": rate, "errors": 0, "bytes": 100 * rate}
    generator = dict.fromkeys(
        ("cpu_seconds", "cpu_user_s", "cpu_system_s", "threads", "late_own", "late_waited"), 1
    )
    sums = (
        "bytes_received",
        "bytes_sent",
        "connections_opened",
        "connections_closed_idle",
        "connections_unsolicited",
    )
    return {
        "started_unix_s": 0.0,
        "start_late_us": 10.0,
        "elapsed_s": float(seconds),
        "throughput_rps": float(rate),
        "stopped_early": False,
        "counts": counts,
        "latency_with_lost_us": {"lost": 0},
        "histograms": dict.fromkeys(("from_intended", "from_send", "send_lag"), whole),
        "series": [{"second": number, **row} for number in range(seconds)],
        "by_request": [{"name": "/", "counts": counts, "latency_us": quantiles}],
        "errors_detail": [],
        "protocol": "HTTP/1.1",
        "tls": None,
        "http2": None,
        "generator": {**generator, "cpu_seconds_by_thread": [1.0], "reactor": "epoll"},
        "changes": {"changes": 0, "counts_followed": 0},
        "distinct": [],
        "samples": [],
        "merging": {
            "first_byte": whole,
            "connect": whole,
            "handshake": None,
            "by_request": [whole],
            "series": [second] * seconds,
        },
        **dict.fromkeys(
            ("latency_us", "latency_from_send_us", "send_lag_us", "first_byte_us", "connect_us"),
            quantiles,
        ),
        **dict.fromkeys(sums, sent),
    }


def cost(agents: int, seconds: int, rate: int) -> tuple[float, int]:
    """Seconds to merge so many parts, and the bytes that each of them sends home."""
    parts = [part(seconds, rate, seed) for seed in range(agents)]
    size = len(json.dumps(parts[0]))
    begun = time.process_time()
    whole = merged([PartResult.model_validate(one) for one in parts])
    took_s = time.process_time() - begun
    assert whole.counts.ok == agents * seconds * rate
    return took_s, size


def _histogram(draw: np.random.Generator, count: int, digits: int) -> str:
    histogram = HdrHistogram(1, HOUR_NS, digits)
    # A sample has the shape; more of it only makes the counts larger.
    for latency in draw.lognormal(np.log(9e5), 0.6, min(count, 20_000)):
        histogram.record_value(int(latency))
    left = count - histogram.get_total_count()
    if left > 0:
        histogram.record_value(900_000, left)
    return str(histogram.encode().decode("ascii"))
