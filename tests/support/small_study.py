"""A study of three servers in two scenarios, and trials of it with figures as they are wanted."""

from __future__ import annotations

import math
import random

from webdyno.catalog import Catalog, StudyManifest
from webdyno.run.study.plan import Matchup, cells_of, entries_of, matchups_of
from webdyno.store.records import CpuUse, Latency, Measurement, Memory, TrialRecord, now


def a_study(**changes: object) -> StudyManifest:
    fields: dict[str, object] = {
        "name": "mine",
        "title": "Mine",
        "question": "Which?",
        "servers": ["node/http", "go/gin", "go/chi"],
        "control": "go/gin",
        "scenarios": ["json", {"name": "sha256", "parameters": {"n_max": 7}}],
        "loads": [{"kind": "closed", "connections": 8, "duration": "1s"}],
    }
    return StudyManifest.model_validate({**fields, **changes})


def matchups(study: StudyManifest) -> list[Matchup]:
    catalog = Catalog()
    entries, skipped = entries_of(study, catalog)
    assert not skipped
    return matchups_of(entries, cells_of(study, catalog))


def a_trial(
    server: str, block: int, rps: float, *, control: bool = False, **changes: object
) -> TrialRecord:
    latency = Latency(p50=1, p90=2, p99=3 / rps * 1e5, p999=4e5, max=5e5, mean=2)
    measured = Measurement(
        elapsed_s=1.0,
        throughput_rps=rps,
        latency_us=latency,
        counts={"ok": int(rps)},
        cpu_us_per_request={"server": 1e6 / rps, "generator": 5.0},
        cpu={"server": CpuUse(user_s=0.9, system_s=0.1, cores=1, share=1.0)},
        memory_bytes=Memory(idle=1e7, mean=2e7, peak=3e7),
        threads_peak=1,
        processes_peak=1,
    )
    fields: dict[str, object] = {
        "run_id": "r", "index": block * 100 + len(server) + control, "server": server,
        "control": control, "scenario": "json", "load": "closed-8", "block": block, "order": 0,
        "status": "ok", "started": now(), "finished": now(), "measurement": measured,
        "bottleneck": "server-bound",
    }  # fmt: skip
    return TrialRecord.model_validate({**fields, **changes})


def trials(blocks: int, **levels: float) -> list[TrialRecord]:
    """Trials of `a_study` with 1% noise around each server's level."""
    draw = random.Random(1)
    return [
        a_trial(server, block, level * math.exp(draw.gauss(0, 0.01)), control=control)
        for block in range(blocks)
        for server, level, control in (
            ("node/http", levels.get("node", 1000.0), False),
            ("go/gin", levels.get("gin", 2000.0), False),
            ("go/gin", levels.get("gin", 2000.0), True),
            ("go/chi", levels.get("chi", 4000.0), False),
        )
    ]
