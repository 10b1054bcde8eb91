"""A study that asks for the rate at an objective, and trials that searched for it."""

from __future__ import annotations

import math
import random
from typing import Any

from webdyno.catalog import StudyManifest
from webdyno.store.records import (
    CpuUse,
    Latency,
    Measurement,
    Memory,
    TrialRecord,
    now,
)
from webdyno.store.search import SearchRecord

LOAD: dict[str, Any] = {"kind": "objective", "objective": "p99 < 100ms"}


def a_study(load: dict[str, Any] | None = None, **changes: object) -> StudyManifest:
    """A study of two servers, with `load` changed in its objective."""
    fields: dict[str, object] = {
        "name": "mine",
        "title": "Mine",
        "question": "How many?",
        "servers": ["node/http", "go/gin"],
        "scenarios": ["json"],
        "loads": [
            {"kind": "closed", "connections": 8, "duration": "1s"},
            {**LOAD, **(load or {})},
        ],
    }
    return StudyManifest.model_validate({**fields, **changes})


def a_search(capacity: float, kind: str = "met") -> SearchRecord:
    """A search that found this capacity, or ended in another way."""
    return SearchRecord(
        objective="p99 < 100ms",
        quantile=0.99,
        limit_s=0.1,
        errors_share=0.001,
        tolerance=0.05,
        probe_rps=capacity,
        kind=kind,  # type: ignore[arg-type]
        capacity_rps=0.0 if kind == "not-met" else capacity,
        low_rps=capacity * 0.97,
        high_rps=capacity * 1.03,
        reason="at 100/s 5% were late",
    )


def a_trial(server: str, block: int, capacity: float, kind: str = "met") -> TrialRecord:
    """A trial of such a search."""
    measured = Measurement(
        elapsed_s=4.0,
        throughput_rps=capacity,
        latency_us=Latency(p50=1, p90=2, p99=3, p999=4, max=5, mean=2),
        counts={"ok": 4000},
        cpu_us_per_request={"server": 1e6 / capacity, "generator": 5.0},
        cpu={"server": CpuUse(user_s=0.9, system_s=0.1, cores=1, share=1.0)},
        memory_bytes=Memory(idle=1e7, mean=2e7, peak=3e7),
        threads_peak=1,
        processes_peak=1,
    )
    return TrialRecord(
        run_id="r",
        index=block * 10 + len(server),
        server=server,
        scenario="json",
        load="p99 < 100ms",
        block=block,
        order=0,
        status="ok",
        started=now(),
        finished=now(),
        measurement=measured,
        search=a_search(capacity, kind),
        bottleneck="generator-bound" if kind == "at-least" else "server-bound",
    )


def trials(blocks: int, gin: str = "met") -> list[TrialRecord]:
    """Both servers in each block; the searches of go/gin end as `gin` says."""
    draw = random.Random(5)
    return [
        a_trial(server, block, level * math.exp(draw.gauss(0, 0.01)), kind)
        for block in range(blocks)
        for server, level, kind in (("node/http", 1_000.0, "met"), ("go/gin", 3_000.0, gin))
    ]
