"""Simulated servers under an open load: queues whose waiting times are computed exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webdyno.verdict.search.objective import Search, SearchFinding
from webdyno.verdict.search.objective_step import Goal, StepResult, judge_step

Array = NDArray[np.float64]
Random = np.random.Generator


@dataclass
class Queue:
    """First come, first served: `servers` of them do `rps` requests a second together.

    `fixed` times of service (M/D/c), else exponential ones (M/M/1). `stall` is (every how many
    seconds, for how long) all stands still; `slow` (period, length, factor) are phases in which the
    machine is slower by a factor.
    """

    rps: float
    servers: int = 1
    fixed: bool = False
    stall: tuple[float, float] | None = None
    slow: tuple[float, float, float] | None = None
    clock_s: float = 0.0

    def step(self, goal: Goal, rate: float, seconds: float, random: Random) -> StepResult:
        """One open step with Poisson arrivals, as the engine would report it."""
        arrivals = np.sort(random.uniform(0, seconds, random.poisson(rate * seconds)))
        left = self._departures(arrivals, seconds, random)
        self.clock_s += seconds + 0.3
        waits = left - arrivals
        ok = left < seconds + 10
        late = int((waits[ok] > goal.limit_s).sum())
        medians = [
            float(np.median(waits[now])) if (now := (left >= k) & (left < k + 1)).any() else 0.0
            for k in range(int(seconds))
        ]
        return StepResult(
            offered=len(arrivals),
            ok=int(ok.sum()),
            late=late,
            late_from_send=late,
            medians_s=medians,
            generator_share=0.3,
            server_share=1.0,
            busy_connections=1.0,
        )

    def _departures(self, arrivals: Array, seconds: float, random: Random) -> Array:
        count = len(arrivals)
        work = np.ones(count) if self.fixed else random.exponential(1.0, count)
        work *= self.servers / self.rps
        if self.slow is not None:
            period, length, factor = self.slow
            work = np.where((self.clock_s + arrivals) % period < length, work / factor, work)
        if self.stall is not None and count:
            every, length = self.stall
            for _ in range(random.poisson(seconds / every)):
                work[random.integers(count)] += length
        left = np.empty(count)
        # With fixed times, departures keep the order of arrivals: each of c servers takes every
        # c-th request. Lindley's recursion, as a running maximum.
        for one in range(self.servers):
            done = np.cumsum(work[one :: self.servers])
            idle = arrivals[one :: self.servers] - (done - work[one :: self.servers])
            left[one :: self.servers] = done + np.maximum.accumulate(idle)
        return left


def searched(
    queue: Queue, goal: Goal, probe_rps: float, random: Random
) -> tuple[SearchFinding, float]:
    """What a search finds, and the seconds that its steps took."""
    search, taken_s = Search(goal, probe_rps), 0.0
    while (step := search.next()) is not None:
        seen = queue.step(goal, step.rate_rps, step.seconds, random)
        search.learn(step, judge_step(goal, seen))
        taken_s += step.seconds
    return search.finding(), taken_s


def border(make: Callable[[], Queue], goal: Goal, low: float, high: float, reps: int = 60) -> float:
    """The rate at which half of the steps hold, by bisection: what a search looks for."""
    random = np.random.default_rng(99)
    for _ in range(9):
        rate = math.sqrt(low * high)
        seconds, queue = math.ceil(goal.seconds_at(rate)), make()
        held = [
            judge_step(goal, queue.step(goal, rate, seconds, random)).outcome == "held"
            for _ in range(reps)
        ]
        low, high = (rate, high) if np.mean(held) > 0.5 else (low, rate)
    return math.sqrt(low * high)
