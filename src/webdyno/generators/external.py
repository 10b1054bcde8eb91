"""What generators that are programs of their own share: running them, translating their figures."""

from __future__ import annotations

import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webdyno.generators.base import GeneratorError, Job, Progress, Watch
from webdyno.runtime.process import ManagedProcess, plain_environment

_LOOK_S = 0.1
COUNTS = (
    "offered",
    "sent",
    "ok",
    "wrong_status",
    "failed_check",
    "refused",
    "reset",
    "timed_out",
    "malformed",
    "not_sent",
    "unfinished",
)


@dataclass(frozen=True)
class Finished:
    """A generator program that ended well: what it printed, and what it cost."""

    output: str
    elapsed_s: float
    cpu_user_s: float
    cpu_system_s: float


def run_program(
    argv: Sequence[str],
    job: Job,
    folder: Path,
    watch: Watch | None,
    *,
    name: str,
    timeout_s: float,
    env: Mapping[str, str] | None = None,
) -> Finished:
    """Run a generator on the job's cores and wait for its end.

    Its CPU is that of all children reaped meanwhile; the laboratory reaps no others during a
    load. Raises `GeneratorError` with its last line where it fails or outlives `timeout_s`.
    """
    log = folder / f"{name}.out"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    process = ManagedProcess.start(
        argv,
        name=name,
        cwd=folder,
        env={**plain_environment(), **(env or {})},
        log=log,
        cpus=job.cpus,
    )
    try:
        while (code := process.wait(_LOOK_S)) is None:
            elapsed = time.monotonic() - started
            if watch is not None and watch(Progress(elapsed, 0, 0, (), False)):
                process.stop(grace_s=2.0)
            elif elapsed > timeout_s:
                raise GeneratorError(f"{name} did not end within {timeout_s:.0f} s")
    finally:
        process.stop(grace_s=1.0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code != 0:
        raise GeneratorError(f"{name} ended with {code}: {process.log_tail(1)}")
    return Finished(
        output=log.read_text(encoding="utf-8", errors="replace"),
        elapsed_s=time.monotonic() - started,
        cpu_user_s=after.ru_utime - before.ru_utime,
        cpu_system_s=after.ru_stime - before.ru_stime,
    )


def result(
    finished: Finished,
    *,
    name: str,
    elapsed_s: float,
    counts: Mapping[str, int],
    latency_us: Mapping[str, float] | None,
    bytes_received: int = 0,
    threads: int = 1,
    series: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The engine's result format, filled with what an external generator tells.

    What it does not tell stays empty rather than guessed: no histogram, no sampled answers.
    """
    full = {kind: int(counts.get(kind, 0)) for kind in COUNTS}
    answered = max(1, full["ok"] + full["wrong_status"] + full["failed_check"])
    cpu = finished.cpu_user_s + finished.cpu_system_s
    return {
        "elapsed_s": elapsed_s,
        "throughput_rps": full["ok"] / elapsed_s if elapsed_s > 0 else 0.0,
        "counts": full,
        "latency_us": dict(latency_us) if latency_us else None,
        "series": [dict(second) for second in series],
        "bytes_received": bytes_received,
        "bytes_sent": 0,
        "generator": {
            "name": name,
            "threads": threads,
            "cpu_seconds": cpu,
            "cpu_user_s": finished.cpu_user_s,
            "cpu_system_s": finished.cpu_system_s,
            "cpu_us_per_request": cpu * 1e6 / answered,
        },
        "samples": [],
    }
