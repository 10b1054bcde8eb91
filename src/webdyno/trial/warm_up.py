"""Warm-up: load the server until it is steady, or until the allowed time is over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from webdyno.catalog.load import Closed, Iterations, Load, Objective, Open
from webdyno.catalog.quantity import Phase, phase_text
from webdyno.catalog.study import WarmUp
from webdyno.generators.base import Generator, Job, Progress
from webdyno.runtime.cpu_time import TreeClock
from webdyno.store.records import Warmup
from webdyno.trial.plan import Listener
from webdyno.verdict.steady import Steady, steady_state

PROBE_CONNECTIONS = 64
"""Enough to keep most servers busy, few enough to queue no longer than they must."""


def warm_up(
    generator: Generator,
    job: Job,
    bounds: WarmUp,
    listener: Listener,
    clock: TreeClock | None = None,
) -> Warmup:
    """Apply the trial's load until its throughput and its CPU time per answer are steady.

    `clock` is the server's; without it the throughput decides alone.

    The load is the measured one's kind and intensity, so that what is compiled, cached and
    allocated is what the measurement will use. Raises `GeneratorError`.
    """
    seen: list[tuple[float, float]] = []
    previous = 0.0
    cost = _Cost(clock.seconds if clock else None)
    waited = clock.waited_seconds() if clock else 0.0

    def watch(progress: Progress) -> bool:
        nonlocal previous
        cost.look(progress.answers, len(progress.ticks))
        for end_s, answers, _errors in progress.ticks:
            width = end_s - previous
            if width > 0:
                seen.append((end_s, answers / width))
            previous = end_s
        listener("progress", elapsed_s=progress.elapsed_s, rps=progress.rps, errors=progress.errors)
        return progress.elapsed_s >= bounds.min and _judged(seen, cost).steady

    warming = Job(
        **{**job.__dict__, "load": _endless(job.load, bounds.max), "samples": 0, "record": None}
    )
    result = generator.run(warming, watch)
    verdict = _judged(seen, cost)
    waited = clock.waited_seconds() - waited if clock else 0.0
    return Warmup(
        seconds=float(result["elapsed_s"]),
        steady=verdict.steady,
        steady_after_s=verdict.since_s if verdict.steady else None,
        kind=verdict.kind,
        ticks=[(round(t, 3), round(rate, 1)) for t, rate in seen],
        cpu_us=[round(us, 2) for us in cost.known()],
        run_delay_s=round(max(0.0, waited), 4),
    )


class _Cost:
    """CPU time per answer, window by window, beside the generator's ticks."""

    def __init__(self, cpu_seconds: Callable[[], float] | None) -> None:
        self._cpu_seconds = cpu_seconds
        self._before = (cpu_seconds() if cpu_seconds else 0.0, 0)
        self._windows: list[float] = []

    def look(self, answers: int, ticks: int) -> None:
        """Note what the `ticks` windows since the last look cost on average."""
        if self._cpu_seconds is None or not ticks:
            return
        spent, answered = self._cpu_seconds(), answers
        new = answered - self._before[1]
        last = self._windows[-1] if self._windows else 0.0
        # A window without answers says nothing: the last figure stands.
        us = 1e6 * (spent - self._before[0]) / new if new > 0 else last
        if new > 0:
            self._before = (spent, answered)
        self._windows += [us] * ticks

    def known(self) -> list[float]:
        """Microseconds per answer of each window; empty where the CPU time was never seen."""
        return self._windows if any(self._windows) else []


def _judged(seen: list[tuple[float, float]], cost: _Cost) -> Steady:
    times, rates = np.array(seen).reshape(-1, 2).T
    known = cost.known()
    per_answer = np.array(known) if len(known) == len(seen) and known else None
    return steady_state(times, rates, per_answer)


def _endless(load: Load, seconds: float) -> Load:
    """The same intensity as `load`, for `seconds`."""
    if isinstance(load, Open):
        first = load.parsed()[0]
        rate = max(first.rate, 1.0)
        return load.model_copy(update={"phases": [phase_text(Phase(rate, None, seconds))]})
    if isinstance(load, Objective):
        # Its closed loop tells where the search for the rate begins.
        connections = min(load.connections, PROBE_CONNECTIONS)
    else:
        connections = load.users if isinstance(load, Iterations) else load.connections
    return Closed(
        kind="closed",
        connections=connections,
        duration=seconds,
        threads=load.threads,
        timeout=load.timeout,
    )
