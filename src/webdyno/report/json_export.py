"""A run as plain data, for programs: published as `schemas/run.schema.json`.

Latencies run from the intended send time. In `ratios`, 1.25 means that `of` is 25% better than
`to` on the metric, whichever way is up.
"""

from __future__ import annotations

import json
import math
from importlib import resources
from typing import TYPE_CHECKING, Any

from webdyno.report import planned, servers
from webdyno.report.time_spent import time_spent
from webdyno.run.absent import absent_of

if TYPE_CHECKING:
    from webdyno.store.records import (
        CpuUse,
        Latency,
        LatencyWithLost,
        Measurement,
        RunRecord,
        TrialRecord,
    )
    from webdyno.store.verdicts import VerdictRecord

FORMAT = 1
"""Counts up when a key changes its meaning or goes; new keys do not count."""


def export(run: RunRecord) -> dict[str, Any]:
    """`run` as a JSON-ready mapping that satisfies the schema."""
    held: dict[str, Any] = _plain(_run(run))
    return held


def dumps(run: RunRecord) -> str:
    """`export(run)` as text, for a file."""
    return json.dumps(export(run), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `export` returns."""
    text = resources.files("webdyno").joinpath("schemas/run.schema.json").read_text("utf-8")
    held: dict[str, Any] = json.loads(text)
    return held


def _run(run: RunRecord) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": run.id,
        "study": str(run.study.get("name", "")),
        "study_manifest": run.study,
        "question": str(run.study.get("question", "")),
        "command": run.command,
        "status": run.status,
        "started": run.started.isoformat(),
        "finished": run.finished.isoformat() if run.finished else None,
        "machine": run.machine,
        "placement": run.placement,
        "limits": run.limits,
        "grown": [grown.model_dump() for grown in run.grown],
        "versions": run.versions,
        "services": [service.model_dump() for service in servers.services(run)],
        "trials": [_trial(trial) for trial in run.trials],
        "verdicts": [_verdict(verdict) for verdict in run.verdicts],
        "sentinels": [sentinel.model_dump() for sentinel in run.sentinels],
        "plan": _plan(run),
        "planned_blocks": run.planned_blocks,
        "step_seconds": run.step_seconds,
        "scalings": [scaling.model_dump() for scaling in run.scalings or []],
        "build_times": [times.model_dump() for times in run.build_times],
        "costs": [cost.model_dump() for cost in run.costs],
        "scalability": [one.model_dump() for one in run.scalability],
        "differences": [one.model_dump() for one in run.differences],
        "servers": [server.model_dump() for server in run.servers],
        "review": run.review,
        "time_spent_s": {part.step: round(part.seconds, 3) for part in time_spent(run)},
        "skipped": [skipped.model_dump() for skipped in run.skipped],
        "absent": [row.model_dump() for row in absent_of(run)],
        "notes": run.notes,
        "baseline": run.baseline,
    }


def _plan(run: RunRecord) -> dict[str, Any] | None:
    if run.plan is None:
        return None
    words = planned.sentences(run.plan, run.study)
    return {**run.plan.model_dump(), "everything": run.plan.everything, "words": words}


def _trial(trial: TrialRecord) -> dict[str, Any]:
    measured = trial.measurement
    return {
        "server": trial.server,
        "variant": trial.variant,
        "entry": trial.entry,
        "control": trial.control,
        "scenario": trial.scenario,
        "load": trial.load,
        "block": trial.block,
        "order": trial.order,
        "status": trial.status,
        "reason": trial.reason,
        "lie": trial.lie,
        "started": trial.started.isoformat(),
        "finished": trial.finished.isoformat(),
        "away_seconds": trial.away_seconds,
        **(_measured(measured) if measured is not None else _NOT_MEASURED),
        "capacity_rps": trial.search.capacity_rps if trial.search else None,
        "search": trial.search.model_dump() if trial.search else None,
        "build_seconds": trial.build.seconds,
        "build_digest": trial.build.digest,
        "start_seconds": trial.start_seconds,
        "stop_seconds": trial.stop_seconds,
        "warmup": (trial.warmup.model_dump() if trial.warmup else None),
        "step_seconds": trial.step_seconds,
        "artefact_bytes": trial.build.artefact_bytes,
        "source_lines": trial.build.source_lines,
        "bottleneck": trial.bottleneck,
        "bottleneck_reason": trial.bottleneck_reason,
        "one_thread": trial.one_thread,
        "setup": trial.setup.model_dump() if trial.setup else None,
        "flags": [flag.model_dump() for flag in trial.flags],
        "evidence": [claim.model_dump() for claim in trial.evidence],
        "counted": trial.counted,
        "held": trial.held,
        "versions": trial.versions,
        "sources": trial.sources,
        "log": trial.log,
    }


_NOT_MEASURED: dict[str, Any] = {
    "elapsed_s": None,
    "throughput_rps": None,
    "latency_us": None,
    "latency_from_send_us": None,
    "latency_with_lost_us": None,
    "first_byte_us": None,
    "connect_us": None,
    "counts": {},
    "by_request": [],
    "cpu_us_per_request": {"server": None, "generator": None},
    "cpu": {},
    "memory_bytes": {"start": None, "idle": None, "mean": None, "peak": None},
    "threads_peak": None,
    "processes_peak": None,
    "bytes_received": None,
    "bytes_sent": None,
}


def _measured(measured: Measurement) -> dict[str, Any]:
    memory = measured.memory_bytes
    return {
        "elapsed_s": measured.elapsed_s,
        "throughput_rps": measured.throughput_rps,
        "latency_us": _latency(measured.latency_us),
        "latency_from_send_us": _latency(measured.latency_from_send_us),
        "latency_with_lost_us": _with_lost(measured.latency_with_lost_us),
        "first_byte_us": _latency(measured.first_byte_us),
        "connect_us": _latency(measured.connect_us),
        "counts": measured.counts,
        "by_request": [
            {
                "name": one.name,
                "counts": one.counts,
                "latency_us": _latency(one.latency_us),
            }
            for one in measured.by_request
        ],
        "cpu_us_per_request": {"server": None, "generator": None, **measured.cpu_us_per_request},
        "cpu": {role: _cpu(use) for role, use in measured.cpu.items()},
        "memory_bytes": {
            "start": memory.start,
            "idle": memory.idle,
            "mean": memory.mean,
            "peak": memory.peak,
            "kind": memory.kind,
        },
        "threads_peak": measured.threads_peak,
        "processes_peak": measured.processes_peak,
        "bytes_received": measured.bytes_received,
        "bytes_sent": measured.bytes_sent,
    }


def _latency(latency: Latency | None) -> dict[str, float] | None:
    return latency.model_dump() if latency is not None else None


def _with_lost(latency: LatencyWithLost | None) -> dict[str, Any] | None:
    return latency.model_dump() if latency is not None else None


def _cpu(use: CpuUse) -> dict[str, Any]:
    told = {"user_s", "system_s", "cores", "share", "busiest_thread_share"}
    return use.model_dump(include=told)


def _verdict(verdict: VerdictRecord) -> dict[str, Any]:
    return verdict.model_dump()


def _plain(value: Any) -> Any:
    """What JSON can hold of `value`: a number that is none, or infinite, is null."""
    if isinstance(value, dict):
        return {str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(held) for held in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | bool | None) else str(value)
