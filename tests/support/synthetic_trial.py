"""A trial of plausible shape without a machine: figures drawn around those of a made-up server."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from hdrh.histogram import HdrHistogram

from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import ErrorDetail, GeneratorFigures
from webdyno.store.records import (
    BuildRecord,
    CpuUse,
    EvidenceRecord,
    FlagRecord,
    Latency,
    Measurement,
    Memory,
    Observation,
    SecondOfLoad,
    TrialRecord,
    Warmup,
)

HOSTILE_LOG = (
    "listening on 127.0.0.1:41873\n"
    "</script><script>window.pwned = 1</script>\n"
    '<img src=x onerror="window.pwned = 2"> & <b>bold</b> {{ 7 * 7 }} {% raw %}\n'
    "\x1b[31mred\x1b[0m \x00 end"
)
"""A log that tries to run code in whatever shows it."""

SCENARIO_COST = {"json": 1.0, "sha256": 6.5}


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


def drawn_trial(
    random: np.random.Generator,
    server: Server,
    control: bool,
    scenario: str,
    load: str,
    block: int,
    order: int,
    clock: datetime,
    seconds: int,
    index: int,
) -> TrialRecord:
    """One trial of `server`, its figures drawn by `random`."""
    cost = SCENARIO_COST.get(scenario, 1.0)
    rps = server.rps / cost * float(random.normal(1.0, 0.008)) * (1 - 0.01 * (block % 3))
    p50 = server.p50_us * cost * float(random.normal(1.0, 0.01))
    failed = server.name == "node/express" and server.variant == "default"
    failed = failed and scenario == "json" and block == 0
    bound = server.generator_bound and scenario == "json"
    series, samples = _series(random, server, rps, p50, seconds, failed)
    measurement = _measurement(random, server, series, samples, seconds, cost, bound, failed)
    took = seconds + server.warm_s + server.start_s + 1.6
    flags = []
    if server.name == "java/servlet":
        flags.append(
            FlagRecord(
                code="never-steady",
                message="still getting faster when the measurement began: raise warmup.max",
            )
        )
    if bound:
        flags.append(
            FlagRecord(
                code="generator-busy",
                message="the generator used 97% of its core: give it more threads or cores",
            )
        )
    return TrialRecord(
        run_id="20260504-093000-quick",
        index=index,
        server=server.name,
        variant=server.variant,
        control=control,
        scenario=scenario,
        load=load,
        block=block,
        order=order,
        status="failed" if failed else "ok",
        reason="12 of 111503 answers failed a check: body: expected ten keys, got 9"
        if failed
        else "",
        started=clock,
        finished=clock + timedelta(seconds=took),
        measurement=measurement,
        warmup=_warmup(random, server, rps),
        build=BuildRecord(
            seconds=server.build_s,
            cached=block > 0,
            artefact_bytes=int(server.build_s * 700_000),
            source_lines=int(40 + server.p50_us % 60),
            digest="5be1" + server.name.encode().hex()[:8],
            log="logs/build.log",
        ),
        start_seconds=server.start_s,
        stop_seconds=0.04,
        step_seconds={
            "prepare": 0.002,
            "start": server.start_s,
            "verify": 0.21,
            "warm-up": server.warm_s,
        },
        bottleneck="generator-bound" if bound else "server-bound",
        bottleneck_reason="the server's cores were 98% busy, the generator's 61%",
        flags=flags,
        evidence=_evidence(scenario, failed),
        versions={"framework": "1.2.3", "toolchain": "node 20.11.0"},
        placement="server on core 0, generator on core 1",
        log=f"logs/{index:04d}-{server.name.replace('/', '-')}.log",
        log_tail=HOSTILE_LOG if failed else f"listening on 127.0.0.1:4{index:04d}\nstopped\n",
    )


def _series(
    random: np.random.Generator,
    server: Server,
    rps: float,
    p50: float,
    seconds: int,
    failed: bool,
) -> tuple[list[SecondOfLoad], np.ndarray[Any, np.dtype[np.float64]]]:
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


def _measurement(
    random: np.random.Generator,
    server: Server,
    series: list[SecondOfLoad],
    samples: np.ndarray[Any, np.dtype[np.float64]],
    seconds: int,
    cost: float,
    bound: bool,
    failed: bool,
) -> Measurement:
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


def _warmup(random: np.random.Generator, server: Server, rps: float) -> Warmup:
    ticks = [
        (
            round(i / 10, 1),
            rps
            * (1 - math.exp(-(i + 1) / (3 * server.warm_s + 0.2)))
            * float(random.normal(1, 0.02)),
        )
        for i in range(max(5, int(server.warm_s * 20)))
    ]
    steady = server.warm_s < 2
    return Warmup(
        seconds=server.warm_s * 2,
        steady=steady,
        steady_after_s=server.warm_s if steady else None,
        kind="warming up" if steady else "never steady",
        ticks=ticks,
    )


def _evidence(scenario: str, failed: bool) -> list[EvidenceRecord]:
    audit = (
        "1 of 200 sampled bodies had 9 keys" if failed else "200 of 200 sampled bodies are right"
    )
    if scenario == "sha256":
        return [
            EvidenceRecord(
                claim="the digest chain is right for 12 random n", ok=True, phase="before"
            ),
            EvidenceRecord(claim="n above 255 and above 65535 works", ok=True, phase="before"),
            EvidenceRecord(
                claim="the answer follows a file swapped on disk", ok=True, phase="before"
            ),
            EvidenceRecord(
                claim="bodies sampled under load are right", ok=True, detail=audit, phase="audit"
            ),
            EvidenceRecord(
                claim="the digest chain is right after the load", ok=True, phase="after"
            ),
        ]
    return [
        EvidenceRecord(claim="ten keys in order", ok=True, detail="20 answers", phase="before"),
        EvidenceRecord(claim="values are fresh for every request", ok=True, phase="before"),
        EvidenceRecord(
            claim="values are within 0..1000 and uniform",
            ok=True,
            detail="chi2 p = 0.41",
            phase="before",
        ),
        EvidenceRecord(
            claim="bodies sampled under load are right", ok=not failed, detail=audit, phase="audit"
        ),
    ]
