"""What generators that are programs of their own share: running them, translating their figures."""

from __future__ import annotations

import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.progress import LoadProgress, Watch
from webdyno.generators.result import GeneratorSpent
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.store.counts import RequestCounts

_LOOK_S = 0.1


@dataclass(frozen=True)
class FinishedProgram:
    """A generator program that ended well: what it printed, and what it cost."""

    output: str
    elapsed_s: float
    cpu_user_s: float
    cpu_system_s: float
    looks: tuple[tuple[float, float], ...] = ()
    """Seconds since 1970, and its CPU seconds by then, from its start to its end."""

    def cpu_within(self, span: tuple[float, float] | None) -> tuple[float, float]:
        """CPU seconds, user and system, between two times in seconds since 1970; of its whole life
        for None, or where nobody looked.

        A program that takes seconds to start, or to write its report, is not busy with the load
        meanwhile. User and system are taken to have the parts that they have in all.
        """
        total = self.cpu_user_s + self.cpu_system_s
        if span is None or not self.looks or total <= 0:
            return self.cpu_user_s, self.cpu_system_s
        times, seconds = zip(*self.looks, strict=True)
        begin, end = np.interp(span, times, seconds)
        part = min(1.0, max(0.0, float(end - begin)) / total)
        return self.cpu_user_s * part, self.cpu_system_s * part

    def spent(
        self,
        *,
        threads: int = 1,
        span: tuple[float, float] | None = None,
        table: dict[str, Any] | None = None,
        behind_share: float | None = None,
        unchecked: list[str] | None = None,
    ) -> GeneratorSpent:
        """What making the load cost, and what the program tells of it; see `GeneratorSpent`.

        `span` is when the load began and ended, in seconds since 1970, where it tells: its CPU time
        is that of the load, as the engine's is.
        """
        user, system = self.cpu_within(span)
        return GeneratorSpent(
            threads=threads,
            cpu_seconds=user + system,
            cpu_user_s=user,
            cpu_system_s=system,
            cpu_in_all_s=self.cpu_user_s + self.cpu_system_s,
            table=table,
            behind_share=behind_share,
            unchecked=unchecked,
        )


def run_program(
    argv: Sequence[str],
    job: Job,
    folder: Path,
    watch: Watch | None,
    *,
    name: str,
    timeout_s: float,
    env: Mapping[str, str] | None = None,
) -> FinishedProgram:
    """Run a generator on the job's cores and wait for its end.

    Its CPU is that of all children reaped meanwhile; the laboratory reaps no others during a
    load. Raises `GeneratorError` with its last line where it fails or outlives `timeout_s`; one
    that `watch` has end early does not fail, however it takes that.
    """
    log = folder / f"{name}.out"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    looks = [(time.time(), 0.0)]
    process = ManagedProcess.start(
        argv,
        name=name,
        cwd=folder,
        env={**plain_environment(), **(env or {})},
        log=log,
        cpus=job.cpus,
    )
    clock = TreeClock(process.pid)
    requested = False
    try:
        while (code := process.wait(_LOOK_S)) is None:
            looks.append((time.time(), clock.seconds()))
            elapsed = time.monotonic() - started
            if watch is not None and watch(LoadProgress(elapsed_s=elapsed)):
                requested = True
                process.stop(grace_s=2.0)
            elif elapsed > timeout_s:
                raise GeneratorError(f"{name} did not end within {timeout_s:.0f} s")
    finally:
        process.stop(grace_s=1.0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code != 0 and not requested:
        raise GeneratorError(f"{name} exited with {code}: {process.log_tail(1)}")
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return FinishedProgram(
        output=log.read_text(encoding="utf-8", errors="replace"),
        elapsed_s=time.monotonic() - started,
        cpu_user_s=user,
        cpu_system_s=system,
        looks=(*looks, (time.time(), user + system)),
    )


def throughput_rps(counts: RequestCounts, elapsed_s: float) -> float:
    """Right answers per second."""
    return counts.ok / elapsed_s if elapsed_s > 0 else 0.0
