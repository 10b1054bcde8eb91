"""How noisy this machine is right now: what a benchmark on it could and could not tell apart.

Two short experiments. Timers: a thread that asks to be woken every millisecond notes how late it
is; load in the open model is sent by such timers. Work: one thread a core does the same piece of
work over and over; what varies is not the work.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from webdyno.runtime.confinement.cgroup import QuotaPauses, limits, pauses
from webdyno.runtime.machine.core_seconds import CoreSeconds, core_seconds
from webdyno.runtime.machine.place import place

TIMER_PERIOD_S = 0.001
WINDOW_S = 0.1
"""Work is counted per window, so that one window's figure is not one interrupt's."""
PIECE_BYTES = 1 << 18
FEW = 8
"""So many threads take turns at the interpreter's lock without waiting for it; of more, each works
on larger pieces, between which it needs the lock as seldom in all."""


class Noise(BaseModel):
    """Figures of one measurement. Shares are of one, so that 0.02 is two per cent."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    seconds: float
    """How long it was measured."""
    cv: float
    """Coefficient of variation of the work done per 0.1 s on one core: deviation over mean."""
    worst_window: float
    """The slowest of these windows, as a share of the median one."""
    steal_share: float
    """CPU time that the host gave to other virtual machines while this one wanted it; of the CPUs
    that the roles of a run get, as `foreign_share`."""
    foreign_share: float
    """CPU time that other programs used meanwhile."""
    timer_late_us_p50: float
    """How late timers were, in microseconds: the median."""
    timer_late_us_p99: float
    """The 99th percentile."""
    timer_late_us_max: float
    """The latest."""
    load_average: float
    """Processes that wanted a core in the last minute, before the measurement began."""
    paused_share: float | None = None
    """Part of the periods of a quota around us in which it paused everything; None without one."""


def measure_noise(seconds: float = 6.0) -> Noise:
    """Measure for about `seconds`: a third of it timers, the rest work on every CPU that the roles
    of a run get."""
    placement = place()
    cpus = sorted({*placement.server, *placement.generator})
    load_average = os.getloadavg()[0]
    late = _timer_lateness(seconds / 3)
    before = _Clocks.now(cpus)
    windows = _work(cpus, seconds * 2 / 3)
    after = _Clocks.now(cpus)
    rates = [rate / statistics.median(core) for core in windows for rate in core]
    steal, foreign = _shares(before, after, len(cpus))
    return Noise(
        seconds=seconds,
        cv=statistics.pstdev(rates) / statistics.fmean(rates),
        worst_window=min(rates),
        steal_share=steal,
        foreign_share=foreign,
        timer_late_us_p50=_quantile(late, 0.5),
        timer_late_us_p99=_quantile(late, 0.99),
        timer_late_us_max=late[-1],
        load_average=load_average,
        paused_share=_paused_share(before.pauses, after.pauses),
    )


def _timer_lateness(seconds: float) -> list[float]:
    """Microseconds by which a thread was woken too late, sorted."""
    late: list[float] = []
    end = time.perf_counter() + seconds
    while (began := time.perf_counter()) < end:
        time.sleep(TIMER_PERIOD_S)
        late.append((time.perf_counter() - began - TIMER_PERIOD_S) * 1e6)
    return sorted(late)


def _work(cpus: Sequence[int], seconds: float) -> list[list[float]]:
    """For each of `cpus`, pieces of work per second in each window."""
    piece = bytes(PIECE_BYTES * max(1, len(cpus) // FEW))
    results: list[list[float]] = [[] for _ in cpus]
    threads = [
        threading.Thread(target=_work_on, args=(cpu, piece, seconds, result), daemon=True)
        for cpu, result in zip(cpus, results, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def _work_on(cpu: int, piece: bytes, seconds: float, rates: list[float]) -> None:
    # Of this thread alone: on Linux 0 means the calling thread.
    os.sched_setaffinity(0, {cpu})
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds or not rates:
        started, pieces = time.perf_counter(), 0
        while time.perf_counter() - started < WINDOW_S:
            # Hashing lets go of the interpreter's lock, so that the cores work side by side.
            hashlib.sha256(piece).digest()
            pieces += 1
        rates.append(pieces / (time.perf_counter() - started))


@dataclass(frozen=True)
class _Clocks:
    """The clocks at one moment; None where the kernel does not tell."""

    at_s: float
    own_s: float
    cores: CoreSeconds | None
    pauses: QuotaPauses | None

    @classmethod
    def now(cls, cpus: Sequence[int]) -> _Clocks:
        quota = pauses() if limits().cpus is not None else None
        return cls(time.monotonic(), time.process_time(), core_seconds(cpus), quota)


def _shares(before: _Clocks, after: _Clocks, cpus: int) -> tuple[float, float]:
    """Shares of the time of so many CPUs stolen by the host, and used by other programs."""
    if before.cores is None or after.cores is None:
        return 0.0, 0.0
    did = after.cores.since(before.cores)
    core_s = max((after.at_s - before.at_s) * cpus, 1e-9)
    foreign_s = did.busy - did.stolen - (after.own_s - before.own_s)
    return did.stolen / core_s, max(0.0, foreign_s) / core_s


def _paused_share(before: QuotaPauses | None, after: QuotaPauses | None) -> float | None:
    if before is None or after is None:
        return None
    return (after.paused - before.paused) / max(after.periods - before.periods, 1)


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
