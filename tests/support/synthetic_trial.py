"""A trial of plausible shape without a machine: figures drawn around those of a made-up server."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

import numpy as np

from support.synthetic_measurement import Server, drawn_measurement, drawn_series
from webdyno.store.records import (
    BuildRecord,
    EvidenceRecord,
    FlagRecord,
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
    series, samples = drawn_series(random, server, rps, p50, seconds, failed)
    measurement = drawn_measurement(random, server, series, samples, seconds, cost, bound, failed)
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
