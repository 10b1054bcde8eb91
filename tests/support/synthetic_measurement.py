"""A measurement of plausible shape: figures drawn around those of a made-up server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hdrh.histogram import HdrHistogram

from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import ErrorDetail, GeneratorFigures
from webdyno.store.records import (
    CpuUse,
    Latency,
    Measurement,
    Memory,
    Observation,
    SecondOfLoad,
)


@dataclass(frozen=True)
class Server:
    """What the figures of one entry are drawn around."""

    name: str
    rps: float
    p50_us: float
    tail: float
    cpu_us: float
    memory_mb: float
    threads: int
    start_s: float
    build_s: float
    variant: str = "default"
    processes: int = 1
    warm_s: float = 0.4
    generator_bound: bool = False


def drawn_series(
    random: np.random.Generator,
    server: Server,
    rps: float,
    p50: float,
    seconds: int,
    failed: bool,
) -> tuple[list[SecondOfLoad], np.ndarray[Any, np.dtype[np.float64]]]:
    """The seconds of a load, and samples of the latency in each, in microseconds."""
    # Every answer need not be drawn: 600 a second give the shape, and weights the right totals.
    answers, drawn = [], []
    for second in range(seconds):
        stall = 0.82 if second == seconds // 2 and server.tail > 0.5 else 1.0
        answers.append(int(rps * stall * float(random.normal(1.0, 0.01))))
        latencies = p50 * np.exp(random.normal(0.0, server.tail, 600))
        latencies[random.random(600) < 0.004] *= 6 if stall < 1 else 2.5
        drawn.append(latencies)
    samples = np.stack(drawn)
    middles, lates = np.quantile(samples, [0.5, 0.99], axis=1).tolist()
    rows = []
    for second, ok in enumerate(answers):
        errors = 3 if failed and second in (2, 3, 5, 7) else 0
        rows.append(
            SecondOfLoad(
                second=second,
                offered=ok + errors,
                sent=ok + errors,
                ok=ok,
                errors=errors,
                p50_us=middles[second],
                p99_us=lates[second],
                max_us=float(samples[second].max()),
                bytes=ok * 350,
            )
        )
    return rows, samples.ravel()


def _latency(samples: np.ndarray[Any, np.dtype[np.float64]]) -> Latency:
    q = np.quantile(samples, [0.5, 0.9, 0.99, 0.999])
    return Latency(
        p50=float(q[0]),
        p90=float(q[1]),
        p99=float(q[2]),
        p999=float(q[3]),
        max=float(samples.max()),
        mean=float(samples.mean()),
        min=float(samples.min()),
    )


def _histogram(samples: np.ndarray[Any, np.dtype[np.float64]], answers: int) -> str:
    histogram = HdrHistogram(1, 3_600_000_000_000, 3)
    weight = max(1, answers // len(samples))
    # To 4% first: far fewer calls.
    steps, counts = np.unique(np.round(np.log(samples) * 25), return_counts=True)
    for value, count in zip(np.exp(steps / 25), counts, strict=True):
        histogram.record_value(int(value * 1000), int(count) * weight)
    return bytes(histogram.encode()).decode()


def drawn_measurement(
    random: np.random.Generator,
    server: Server,
    series: list[SecondOfLoad],
    samples: np.ndarray[Any, np.dtype[np.float64]],
    seconds: int,
    cost: float,
    bound: bool,
    failed: bool,
) -> Measurement:
    """What was measured in a load of these seconds."""
    ok = sum(row.ok for row in series)
    errors = sum(row.errors for row in series)
    from_send = samples * 0.98
    memory = server.memory_mb * 1e6
    times = np.arange(0, seconds, 0.05)
    busier, larger = random.standard_normal((len(times), 2)).T
    shares = np.clip((0.7 if bound else 0.975) + 0.015 * busier, 0, 1)
    held = memory * (0.8 + 0.2 * (1 - np.exp(-times))) + 3e5 * larger
    observations = [
        # As they are: there are hundreds.
        Observation.model_construct(
            t_s=round(t, 3),
            cpu_share=share,
            memory_bytes=bytes_held,
            threads=server.threads,
            processes=server.processes,
        )
        for t, share, bytes_held in zip(times.tolist(), shares.tolist(), held.tolist(), strict=True)
    ]
    counts = RequestCounts(offered=ok + errors, sent=ok + errors, ok=ok, failed_check=errors)
    detail = ErrorDetail(
        kind="failed_check",
        request="json",
        detail="body: expected ten keys, got 9",
        count=errors,
    )
    server_cpu = server.cpu_us * cost * float(random.normal(1.0, 0.01))
    return Measurement(
        elapsed_s=float(seconds),
        throughput_rps=ok / seconds,
        latency_us=_latency(samples),
        latency_from_send_us=_latency(from_send),
        send_lag_us=_latency(samples * 0.02),
        counts=counts,
        errors_detail=[detail] if failed else [],
        cpu_us_per_request={"server": server_cpu, "generator": 8.1},
        cpu={
            "server": CpuUse(user_s=6.1, system_s=3.6, cores=1, share=0.7 if bound else 0.97),
            "generator": CpuUse(user_s=2.0, system_s=4.1, cores=1, share=0.97 if bound else 0.61),
        },
        memory_bytes=Memory(
            idle=memory * 0.6, mean=memory * 0.95, peak=memory, peak_rss=memory * 1.2, kind="pss"
        ),
        threads_peak=server.threads,
        processes_peak=server.processes,
        context_switches={"voluntary": 21_000, "involuntary": 310},
        bytes_received=ok * 350,
        bytes_sent=ok * 60,
        series=series,
        observations=observations,
        histograms={
            "from_intended": _histogram(samples, ok),
            "from_send": _histogram(from_send, ok),
        },
        generator=GeneratorFigures(threads=1, reactor="epoll", cpu_seconds=6.1),
    )
