"""The machine over a run: its speed from block to block, slow phases, drift, servers that move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.catalog.terms.metric import METRICS
from webdyno.report.numbers import fine_percent, median_of_known, percent
from webdyno.verdict.estimation.weights import SLOW
from webdyno.verdict.steadiness.series import TREND_LEVEL, one_way
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord
    from webdyno.store.verdicts import BlocksRecord

DRIFT = 0.01
"""Change of the machine's speed per block that is told."""

LIKE = 0.3
"""Autocorrelation of blocks above which docs/verdict.md promises less."""


@dataclass(frozen=True)
class BlockSpeed:
    """One block, counted from 1: speeds against the usual, 1.0; None where unknown."""

    block: int
    sentinel: float | None
    servers: float | None
    slow: bool


def _machines(run: RunRecord) -> list[BlocksRecord]:
    """What each verdict found of the machine, where it could: memory and threads tell nothing of
    its speed."""
    return [
        verdict.machine
        for verdict in run.verdicts
        if verdict.machine is not None and not _at_any_speed(verdict.metric)
    ]


def _at_any_speed(metric: str) -> bool:
    return metric in METRICS and METRICS[metric].at_any_speed


def speeds(run: RunRecord) -> list[BlockSpeed]:
    """Every block's speed by the sentinel and by the servers together."""
    known = _machines(run)
    blocks = max((len(held.speed) for held in known), default=0)
    return [
        BlockSpeed(
            block + 1,
            median_of_known([held.sentinel[block] for held in known if block < len(held.sentinel)]),
            median_of_known([held.speed[block] for held in known if block < len(held.speed)]),
            any(block in held.slow for held in known),
        )
        for block in range(blocks)
    ]


def _lowest(run: RunRecord, block: int) -> float | None:
    """The speed of a block by the verdict that found it slowest, of those that call it slow: beside
    others, in which it was not, it would look like any block."""
    speeds = [
        series[block]
        for held in _machines(run)
        if block in held.slow
        for series in (held.sentinel, held.speed)
        if block < len(series)
    ]
    return min(filter(None, speeds), default=None)


def cautions(run: RunRecord) -> Iterator[str]:
    """What a reader should know of the machine, a sentence each."""
    if slow := [one for one in speeds(run) if one.slow]:
        seen = [
            f"{one.block} ({percent(lowest)} of the usual speed)"
            for one in slow
            if (lowest := _lowest(run, one.block - 1))
        ]
        blocks = f"block{'s' if len(slow) > 1 else ''} {listed(seen)}"
        they = "they are" if len(slow) > 1 else "it is"
        yield f"The machine was slow in {blocks}; {they} kept{_weighed(slow)}."
    machines = _machines(run)
    drifting = [
        held.drift
        for held in machines
        if abs(held.drift) >= DRIFT
        and one_way([one for one in held.speed if one], TREND_LEVEL / len(machines))
    ]
    if drifting:
        drift = max(drifting, key=abs)
        way = "slower" if drift < 0 else "faster"
        yield f"The machine got {percent(abs(drift))} {way} with each block."
    known = [(v.scenario, v.machine) for v in run.verdicts if v.machine is not None]
    for scenario, held in known:
        for entry, change in held.trends.items():
            moved = f"{'lost' if change < 0 else 'gained'} {fine_percent(abs(change))}"
            yield (
                f"In {scenario}, {entry} {moved} per block relative to the others, so its figure "
                "depends on when it is measured (a leak? a growing file?)."
            )
        if held.autocorrelation > LIKE:
            yield (
                f"In {scenario}, each block resembles the one before (correlation "
                f"{held.autocorrelation:.1f}); intervals were widened for it but are less certain."
            )


def slow_said(run: RunRecord) -> str:
    """What becomes of slow blocks; empty where there are none."""
    slow = [one for one in speeds(run) if one.slow]
    return f"Slow blocks are kept{_weighed(slow)}." if slow else ""


def _weighed(slow: Sequence[BlockSpeed]) -> str:
    """That slow blocks count for less, as far as they do: the sentinel's word decides."""
    seen = sum(one.sentinel is not None and one.sentinel <= 1 - SLOW for one in slow)
    if seen == len(slow):
        return ", but counted for less"
    return "; those in which the sentinel was slow count for less" if seen else ""
