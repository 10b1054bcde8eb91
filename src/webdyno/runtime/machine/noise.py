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
from pathlib import Path

from pydantic import BaseModel, ConfigDict

TIMER_PERIOD_S = 0.001
WINDOW_S = 0.1
"""Work is counted per window, so that one window's figure is not one interrupt's."""
_PIECE = bytes(1 << 18)


class Noise(BaseModel):
    """Figures of one measurement. Shares are of one, so that 0.02 is two per cent."""

    model_config = ConfigDict(frozen=True)

    seconds: float
    cv: float
    """Coefficient of variation of the work done per 0.1 s on one core: deviation over mean."""
    worst_window: float
    """The slowest of these windows, as a share of the median one."""
    steal_share: float
    """CPU time that the host gave to other virtual machines while this one wanted it."""
    foreign_share: float
    """CPU time that other programs used meanwhile."""
    timer_late_us_p50: float
    timer_late_us_p99: float
    timer_late_us_max: float
    load_average: float
    """Processes that wanted a core in the last minute, before the measurement began."""


def measure_noise(seconds: float = 6.0) -> Noise:
    """Measure for about `seconds`: a third of it timers, the rest work on every usable core."""
    load_average = os.getloadavg()[0]
    late = _timer_lateness(seconds / 3)
    before, own_before = _cpu_ticks(), time.process_time()
    windows = _work(seconds * 2 / 3)
    after, own_after = _cpu_ticks(), time.process_time()
    rates = [rate / statistics.median(core) for core in windows for rate in core]
    steal, foreign = _shares(before, after, own_after - own_before)
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
    )


def _timer_lateness(seconds: float) -> list[float]:
    """Microseconds by which a thread was woken too late, sorted."""
    late: list[float] = []
    end = time.perf_counter() + seconds
    while (asked := time.perf_counter()) < end:
        time.sleep(TIMER_PERIOD_S)
        late.append((time.perf_counter() - asked - TIMER_PERIOD_S) * 1e6)
    return sorted(late)


def _work(seconds: float) -> list[list[float]]:
    """For each core, pieces of work per second in each window."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [None]
    results: list[list[float]] = [[] for _ in cores]
    threads = [
        threading.Thread(target=_work_on, args=(core, seconds, result), daemon=True)
        for core, result in zip(cores, results, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def _work_on(core: int | None, seconds: float, rates: list[float]) -> None:
    if core is not None:
        # Of this thread alone: on Linux 0 means the calling thread.
        os.sched_setaffinity(0, {core})
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds or not rates:
        started, pieces = time.perf_counter(), 0
        while time.perf_counter() - started < WINDOW_S:
            # Hashing lets go of the interpreter's lock, so that the cores work side by side.
            hashlib.sha256(_PIECE).digest()
            pieces += 1
        rates.append(pieces / (time.perf_counter() - started))


def _cpu_ticks() -> list[int]:
    """The first line of /proc/stat: user nice system idle iowait irq softirq steal, in ticks."""
    try:
        fields = Path("/proc/stat").read_text().partition("\n")[0].split()
    except OSError:
        return []
    return [int(field) for field in fields[1:9]]


def _shares(before: list[int], after: list[int], own_s: float) -> tuple[float, float]:
    """Shares of the machine's CPU time stolen by the host, and used by other programs."""
    if len(before) < 8:
        return 0.0, 0.0
    spent = [b - a for a, b in zip(before, after, strict=True)]
    total = sum(spent) or 1
    idle, steal = spent[3] + spent[4], spent[7]
    own = own_s * os.sysconf("SC_CLK_TCK")
    return steal / total, max(0.0, total - idle - steal - own) / total


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
