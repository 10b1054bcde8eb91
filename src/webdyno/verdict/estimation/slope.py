"""What one more of something costs: a straight line through the costs, and the steps of a stack.

A study that repeats a scenario with 0, 1, 5, 20, 100 middlewares asks for the cost of one: the
slope of the cost per request over their number. Trials of one block share the machine's mood, so
the line is fitted within blocks, and the interval comes from how the blocks disagree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webdyno.verdict.array import Array


@dataclass(frozen=True)
class Slope:
    """The cost of one more, in the unit of the costs: nanoseconds, where `cost_ns` made them."""

    estimate: float
    low: float
    high: float
    intercept: float
    """What a request costs with none."""
    misfit: float
    """How far the mean cost lies from the line where it is farthest: large, the costs do not grow
    in proportion, and the slope is only their average."""
    blocks: int
    """Blocks that had a say."""
    confidence: float


@dataclass(frozen=True)
class SlopeStep:
    """What a level of a growing stack costs on top of the level before."""

    level: float
    estimate: float
    low: float
    high: float
    blocks: int


def cost_ns(throughput_rps: Array, cores: float = 1.0) -> Array:
    """Nanoseconds of a core that a request takes, of a server that keeps `cores` busy throughout.

    Where its CPU time was measured, that is the better cost: it needs no busy server.
    """
    with np.errstate(divide="ignore"):
        return np.where(throughput_rps > 0, cores * 1e9 / throughput_rps, np.nan)


def slope(
    counts: Array, costs: Array, *, confidence: float = 0.95, comparisons: int = 1
) -> Slope | None:
    """Least squares of `costs` [blocks, counts] over `counts`, with an intercept for each block.

    NaN marks a trial that is missing; what is left of its block still counts, by the spread of its
    counts (the within estimator of panel data). The error comes from leaving out one block after
    the other (the jackknife, or CR3: Bell & McCaffrey 2002, Survey Methodology 28, 169-181), with
    one degree of freedom less than blocks; with nothing missing that is Student's interval for the
    mean of the blocks' own slopes. `comparisons` slopes hold together at `confidence`
    (Bonferroni). None for fewer than two blocks that hold two different counts.
    """
    there = np.isfinite(costs)
    x = np.where(there, np.broadcast_to(counts, costs.shape), 0.0)
    y = np.where(there, costs, 0.0)
    held = np.maximum(there.sum(axis=1), 1)
    from_mean = np.where(there, x - (x.sum(axis=1) / held)[:, None], 0.0)
    spread = (from_mean**2).sum(axis=1)
    usable = spread > 0
    blocks = int(usable.sum())
    if blocks < 2:
        return None
    moved = (from_mean * y).sum(axis=1)[usable]
    spread = spread[usable]
    estimate = float(moved.sum() / spread.sum())
    # By how much the slope moves when a block is left out.
    moves = (moved - estimate * spread) / (spread.sum() - spread)
    error = float(np.sqrt((blocks - 1) / blocks * (moves**2).sum()))
    half = _critical(blocks - 1, confidence, comparisons) * error
    left = np.where(there, costs - estimate * np.broadcast_to(counts, costs.shape), np.nan)[usable]
    intercept = float(np.nanmean(left))
    return Slope(
        estimate=estimate,
        low=estimate - half,
        high=estimate + half,
        intercept=intercept,
        misfit=_misfit(left),
        blocks=blocks,
        confidence=confidence,
    )


def steps(
    levels: Array, costs: Array, *, confidence: float = 0.95, together: int | None = None
) -> list[SlopeStep]:
    """What each of `levels` costs on top of the one before, from `costs` [blocks, levels].

    Student's intervals of the differences within blocks; all of them hold together (Bonferroni over
    `together` intervals, by default as many as there are steps). A step that fewer than two blocks
    know is left out.
    """
    differences = np.diff(costs, axis=1)
    together = together or differences.shape[1]
    found = []
    for level, column in zip(levels[1:], differences.T, strict=True):
        known = column[np.isfinite(column)]
        if known.size < 2:
            continue
        mean = float(known.mean())
        error = float(known.std(ddof=1) / np.sqrt(known.size))
        half = _critical(known.size - 1, confidence, together) * error
        found.append(SlopeStep(float(level), mean, mean - half, mean + half, int(known.size)))
    return found


def _misfit(left: Array) -> float:
    """The farthest that the mean over blocks lies from the line, at any count.

    `left` is the costs less the slope's part; each block's own level is taken out first.
    """
    level = np.nanmean(left, axis=1, keepdims=True)
    known = np.isfinite(left).any(axis=0)
    return float(np.abs(np.nanmean((left - level)[:, known], axis=0)).max())


def _critical(freedom: int, confidence: float, comparisons: int) -> float:
    # Imported late: scipy costs 0.15 s, which only a command that concludes should pay.
    from scipy.special import stdtrit

    return float(-stdtrit(freedom, (1 - confidence) / 2 / max(1, comparisons)))
