"""Warm-up: load the server until it is steady, or until the allowed time is over."""

from __future__ import annotations

import numpy as np

from webdyno.catalog.load import Closed, Iterations, Load, Objective, Open
from webdyno.catalog.study import WarmUp
from webdyno.generators.base import Generator, Job, Progress
from webdyno.store.records import Warmup
from webdyno.trial.plan import Listener
from webdyno.verdict.steady import steady_state

PROBE_CONNECTIONS = 64
"""Enough to keep most servers busy, few enough to queue no longer than they must."""


def warm_up(generator: Generator, job: Job, bounds: WarmUp, listener: Listener) -> Warmup:
    """Apply the trial's load until its throughput is steady.

    The load is the measured one's kind and intensity, so that what is compiled, cached and
    allocated is what the measurement will use. Raises `GeneratorError`.
    """
    seen: list[tuple[float, float]] = []
    previous = 0.0

    def watch(progress: Progress) -> bool:
        nonlocal previous
        for end_s, answers, _errors in progress.ticks:
            width = end_s - previous
            if width > 0:
                seen.append((end_s, answers / width))
            previous = end_s
        listener("progress", elapsed_s=progress.elapsed_s, rps=progress.rps, errors=progress.errors)
        return progress.elapsed_s >= bounds.min and _is_steady(seen)

    warming = Job(**{**job.__dict__, "load": _endless(job.load, bounds.max), "samples": 0})
    result = generator.run(warming, watch)
    times, rates = np.array(seen).reshape(-1, 2).T
    verdict = steady_state(times, rates)
    return Warmup(
        seconds=float(result["elapsed_s"]),
        steady=verdict.steady,
        steady_after_s=verdict.since_s if verdict.steady else None,
        kind=verdict.kind,
        ticks=[(round(t, 3), round(rate, 1)) for t, rate in seen],
    )


def _is_steady(seen: list[tuple[float, float]]) -> bool:
    if not seen:
        return False
    times, rates = np.array(seen).T
    return bool(steady_state(times, rates).steady)


def _endless(load: Load, seconds: float) -> Load:
    """The same intensity as `load`, for `seconds`."""
    if isinstance(load, Open):
        first = load.parsed()[0]
        rate = max(first.rate, 1.0)
        return load.model_copy(update={"phases": [f"{rate:g}/s:{seconds:g}s"]})
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
