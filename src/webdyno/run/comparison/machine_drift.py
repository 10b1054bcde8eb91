"""How the machine itself changed between two runs, by the sentinels of both."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from webdyno.catalog.terms.metric import METRICS
from webdyno.store.records import RunRecord
from webdyno.verdict.array import Array
from webdyno.verdict.comparison.unpaired import Drift, drift_of


def drift_between(old: RunRecord, new: RunRecord, metric: str) -> Drift | None:
    """By how much the machine's speed changed, for comparing figures of `metric`; None without
    sentinels, and for a metric that does not depend on it."""
    if METRICS[metric].at_any_speed:
        return None
    return drift_of(sentinel_speeds(old, metric), sentinel_speeds(new, metric))


def sentinel_speeds(run: RunRecord, metric: str) -> Array:
    """How fast the sentinel found the machine in each block; NaN where it was not measured.

    By what it answered, or, for CPU time, by the CPU time it took: what others take from a core
    costs answers, but next to no CPU time.
    """
    of_cpu = metric.startswith("cpu_")
    blocks = 1 + max((sentinel.block for sentinel in run.sentinels), default=-1)
    # Several, where the cells of a study had their blocks apart.
    speeds: list[list[float]] = [[] for _ in range(blocks)]
    for sentinel in run.sentinels:
        cost = sentinel.cpu_us_per_request
        speed = 1e6 / cost if of_cpu and cost else sentinel.throughput_rps
        speeds[sentinel.block].append(speed)
    return np.array([np.mean(those) if those else math.nan for those in speeds])


def cautions_of_drift(drift: Drift | None, margin: float) -> Iterator[str]:
    """What to know of a drift that is unknown, or larger than `margin`."""
    if drift is None:
        yield (
            "at least one of the runs has no sentinels: how the machine changed between them is "
            "unknown, and the intervals do not cover it"
        )
    elif abs(drift.log_ratio) > math.log1p(margin):
        faster = "faster" if drift.log_ratio > 0 else "slower"
        yield (
            f"the machine itself was {abs(math.expm1(drift.log_ratio)):.1%} {faster} in the newer "
            "run, by its sentinel: the intervals allow for it"
        )
