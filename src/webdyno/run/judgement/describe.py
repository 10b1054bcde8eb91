"""What is told of a verdict beside its ratios: the machine over the blocks, the warm-ups."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from webdyno.store.records import TrialRecord
from webdyno.store.verdicts import BlocksRecord, WarmupSummary, finite
from webdyno.verdict.steadiness.series import blocks_of, slow_blocks


def describe_blocks(
    values: NDArray[np.float64],
    entries: Sequence[str],
    sentinel: NDArray[np.float64] | None,
    higher_is_better: bool,
) -> BlocksRecord | None:
    """The machine over the blocks of one table; None where too little was measured to tell."""
    if np.count_nonzero(np.isfinite(values).any(axis=1)) < 2:
        return None
    seen = blocks_of(values, higher_is_better=higher_is_better)
    speeds = np.full(len(values), math.nan) if sentinel is None else sentinel
    usual = float(np.nanmedian(speeds)) if np.isfinite(speeds).any() else math.nan
    return BlocksRecord(
        speed=[finite(speed) for speed in seen.speed],
        sentinel=[finite(float(speed) / usual) for speed in speeds] if sentinel is not None else [],
        slow=sorted({*seen.slow, *slow_blocks(speeds)}),
        drift=seen.drift,
        noise=finite(seen.noise),
        autocorrelation=seen.autocorrelation,
        trends={entries[place]: change for place, change in seen.trends.items()},
    )


def describe_warmups(trials: Sequence[TrialRecord]) -> dict[str, WarmupSummary]:
    """How each entry's warm-ups ended."""
    found = {}
    for entry in dict.fromkeys(trial.entry for trial in trials):
        mine = [t.warmup for t in trials if t.entry == entry and t.warmup is not None]
        times = [w.steady_after_s for w in mine if w.steady and w.steady_after_s is not None]
        if mine:
            found[entry] = WarmupSummary(
                trials=len(mine),
                never=sum(warmup.kind == "never" for warmup in mine),
                unsure=sum(warmup.kind == "unsure" for warmup in mine),
                seconds=round(statistics.median(warmup.seconds for warmup in mine), 3),
                steady_after_s=round(statistics.median(times), 3) if times else None,
            )
    return found
