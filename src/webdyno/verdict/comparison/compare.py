"""The verdict of one table: blocks by entries, of one metric under one scenario and load."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webdyno.verdict.array import Array
from webdyno.verdict.comparison.groups import reachable, tie_groups
from webdyno.verdict.comparison.lacking import lacking
from webdyno.verdict.comparison.outcomes import outcome_of
from webdyno.verdict.estimation.intervals import closed, half_widths, two_sided_p
from webdyno.verdict.estimation.pairs import pair_indices, paired_differences
from webdyno.verdict.estimation.weights import sentinel_weights
from webdyno.verdict.sequential.looks import Looks
from webdyno.verdict.types import Ratio, Unranked, Verdict


def compare(
    values: Array,
    labels: Sequence[str],
    *,
    higher_is_better: bool = True,
    margin: float = 0.03,
    confidence: float = 0.95,
    control: tuple[int, int] | None = None,
    looks: Looks | None = None,
    not_ranked: Mapping[str, str] | None = None,
    at_least: Collection[str] = (),
    speeds: Array | None = None,
) -> Verdict:
    """Conclude what `values` [blocks, entries] support after as many blocks as they hold.

    A value that is missing, not finite or not above zero is a trial that yielded nothing. Call it
    after every block, with all blocks so far and the same `looks`: the guarantee (all intervals of
    the table, at all looks together, hold with probability `confidence`) covers stopping whenever
    the verdict pleases, and leaving out entries that are settled. The method is in docs/verdict.md.

    `control` is the A/A pair as (entry, its twin): the twin is never ranked, its comparison gives
    the `resolution`, and stands outside the family that the correction is for, since it claims
    nothing about servers. `not_ranked` names entries to leave out, with the reason (for example
    generator-bound); they are left out of all estimates too. The correction counts the pairs that
    were asked for, ranked or not, so that what is left out cannot make the rest look surer.

    `at_least` names entries whose values are the least that they can do, which may be far more:
    their ratios have no upper end, and there is none of two of them. One with an entry that does
    more than that is out of reach of any number of blocks.

    `speeds` [blocks] is how fast a sentinel found the machine in each block, NaN where unknown:
    blocks of a slow phase stay in, but count for less.

    Nothing here is random: the same values give the same verdict.

    Raises `ValueError` where the arguments do not fit each other.
    """
    table = _table(values, labels, control, margin, confidence)
    looks = looks or Looks()
    left_out = _left_out(table, labels, not_ranked or {}, looks.least)
    twin = control[1] if control else None
    used = [i for i, label in enumerate(labels) if label not in left_out]
    twins = None
    if control and all(i in used for i in control):
        twins = used.index(control[0]), used.index(control[1])
    names = [labels[i] for i in used]
    known = _known(
        (1 if higher_is_better else -1) * table[:, used],
        looks,
        (1 - confidence) / max(1, math.comb(len(labels) - (twin is not None), 2)),
        1 - confidence,
        ranked=np.array([i != twin for i in used], dtype=bool),
        speeds=speeds,
        twins=twins,
        unbounded=np.array([name in at_least for name in names], dtype=bool),
    )
    ratios = _ratios(known, names, margin)
    ranked = [place for place, i in enumerate(used) if i != twin]
    beats = np.array(
        [[i != j and ratios[i, j].outcome == "faster" for j in ranked] for i in ranked], dtype=bool
    ).reshape(len(ranked), len(ranked))
    groups = [
        tuple(ranked[place] for place in group)
        for group in tie_groups(beats, [known.level[i] for i in ranked])
    ]
    order = [i for group in groups for i in group]
    pairs = tuple(
        ratios[i, j]
        for place, i in enumerate(order)
        for j in order[place + 1 :]
        if not {names[i], names[j]} <= set(at_least)
    )
    against_itself = None
    if twins:
        against_itself = ratios[twins[1], twins[0]]
    return Verdict(
        entries=tuple(labels),
        groups=tuple(tuple(names[i] for i in group) for group in groups),
        ratios=pairs,
        not_ranked=tuple(Unranked(entry, why) for entry, why in left_out.items()),
        control=against_itself,
        resolution=_resolution(against_itself),
        blocks=table.shape[0],
        settled=all(pair.settled for pair in pairs),
        higher_is_better=higher_is_better,
        margin=margin,
        confidence=confidence,
    )


@dataclass(frozen=True)
class _Known:
    """All pairs, as matrices [entries, entries] of row minus column on the logarithm."""

    mean: Array
    low: Array
    high: Array
    p: Array
    p_adjusted: Array
    noise: Array
    blocks: Array
    level: Array
    """How good each entry is, for listing only."""
    measured: Array
    """The upper ends as the values are, also of entries that can do more."""
    unbounded: NDArray[np.bool_]
    """Which entries these are."""
    joined: NDArray[np.bool_]
    """Which share blocks enough, themselves or by way of others: of the rest nothing shows how
    their difference varies."""


def _known(
    logs: Array,
    looks: Looks,
    error_rate: float,
    family_rate: float,
    ranked: NDArray[np.bool_],
    speeds: Array | None,
    twins: tuple[int, int] | None,
    unbounded: NDArray[np.bool_],
) -> _Known:
    """Intervals of all pairs, each from the blocks up to its own last one.

    A pair whose entry is no longer measured keeps the interval of its last common block: neither
    later looks nor the noise of others move it, so each pair is looked at once per block it gets.
    One that yielded nothing in the blocks before the first look is looked at then.
    """
    entries = logs.shape[1]
    first, second = pair_indices(entries)
    mean, noise, counts = (np.full((entries, entries), np.nan) for _ in range(3))
    high = np.full((entries, entries), np.inf)
    p, p_adjusted = np.ones((entries, entries)), np.ones((entries, entries))
    both = ~np.isnan(logs[:, first] + logs[:, second])
    last = np.where(both.any(axis=0), both.shape[0] - np.argmax(both[::-1], axis=0), 0)
    if len(logs) >= looks.first:
        last = np.where(last > 0, np.maximum(last, looks.first), 0)
    for look in np.unique(last[last > 0]):
        weights = None if speeds is None else sentinel_weights(speeds[:look])
        pairs = paired_differences(logs[:look], weights, twins)
        allowed = looks.level(int(look), error_rate)
        width, alone = half_widths(pairs, allowed), two_sided_p(pairs)
        adjusted = (
            np.minimum(1.0, alone * family_rate / allowed) if allowed else np.ones_like(alone)
        )
        now = last == look
        for (i, j), sign in (((first[now], second[now]), 1), ((second[now], first[now]), -1)):
            mean[i, j] = sign * pairs.mean[now]
            high[i, j] = mean[i, j] + width[now]
            noise[i, j], counts[i, j] = pairs.noise[now], pairs.blocks[now]
            p[i, j], p_adjusted[i, j] = alone[now], adjusted[now]
    measured = high.copy()
    high[unbounded] = np.inf
    low, high = _closed_over(ranked, high)
    # Decided by the company it keeps: then the level at which it is, or less, is the table's own.
    implied = (low > 0) | (high < 0)
    p_adjusted = np.where(implied, np.minimum(p_adjusted, family_rate), p_adjusted)
    beyond = ~implied & (unbounded[:, None] | unbounded[None, :])
    p, p_adjusted = np.where(beyond, 1.0, p), np.where(beyond, 1.0, p_adjusted)
    # Where trials are missing the mean may lie outside what the other pairs imply.
    mean = np.clip(mean, low, high)
    joined = np.nan_to_num(counts) >= looks.least
    inside = np.ix_(ranked, ranked)
    joined[inside] = reachable(joined[inside])
    return _Known(
        mean, low, high, p, p_adjusted, noise, counts, _level(logs), measured, unbounded, joined
    )


def _closed_over(ranked: NDArray[np.bool_], high: Array) -> tuple[Array, Array]:
    """Tighten the ranked entries' intervals; the twin's stay as measured, outside the family."""
    low = -high.T
    inside = np.ix_(ranked, ranked)
    low[inside], high[inside] = closed(low[inside], high[inside])
    return low, high


def _level(logs: Array) -> Array:
    """Mean of each entry, with what is common to its blocks taken out."""
    held = logs[~np.isnan(logs).all(axis=1)]
    if not held.size:
        return np.zeros(logs.shape[1])
    level: Array = np.nanmean(held - np.nanmean(held, axis=1, keepdims=True), axis=0)
    return level


def _ratios(known: _Known, names: Sequence[str], margin: float) -> dict[tuple[int, int], Ratio]:
    found = {}
    for i, of in enumerate(names):
        for j, to in enumerate(names):
            if i == j:
                continue
            low, high = _exp(known.low[i, j]), _exp(known.high[i, j])
            outcome = outcome_of(low, high, margin)
            if outcome == "not separated" and not known.joined[i, j]:
                outcome = "too few blocks"
            found[i, j] = Ratio(
                of=of,
                to=to,
                estimate=_exp(known.mean[i, j]),
                low=low,
                high=high,
                p=float(known.p[i, j]),
                p_adjusted=float(known.p_adjusted[i, j]),
                outcome=outcome,
                noise=float(known.noise[i, j]),
                blocks=int(np.nan_to_num(known.blocks[i, j])),
                out_of_reach=_is_out_of_reach(known, i, j, margin),
            )
    return found


def _is_out_of_reach(known: _Known, i: int, j: int, margin: float) -> bool:
    """Whether one of the two can do more than it did, which is settled to be less than the other's,
    or equal. If it were more, that would be known, so more blocks would show it."""
    if known.unbounded[i] == known.unbounded[j]:
        return False
    least, other = (i, j) if known.unbounded[i] else (j, i)
    low, high = _exp(-known.measured[other, least]), _exp(known.measured[least, other])
    return outcome_of(low, high, margin) in ("slower", "equal")


def _resolution(control: Ratio | None) -> float | None:
    """Half the width of the A/A interval, as a ratio: what a true difference has to exceed."""
    if control is None or not 0 < control.low <= control.high < math.inf:
        return None
    return math.sqrt(control.high / control.low) - 1


def _left_out(
    table: Array, labels: Sequence[str], not_ranked: Mapping[str, str], least: int
) -> dict[str, str]:
    """Entries that are not ranked, with the reason.

    One with too few good trials would tie with everybody, and so join all groups into one.
    """
    unknown = set(not_ranked) - set(labels)
    if unknown:
        raise ValueError(f"not_ranked names no entry: {', '.join(sorted(unknown))}")
    reasons = {}
    for label, good in zip(labels, (~np.isnan(table)).sum(axis=0), strict=True):
        if label in not_ranked:
            reasons[label] = not_ranked[label]
        elif good == 0:
            reasons[label] = "none of its trials yielded a measurement"
        elif good < least <= len(table):
            reasons[label] = lacking(int(good), "valid trial", least)
    return reasons


def _table(
    values: Array,
    labels: Sequence[str],
    control: tuple[int, int] | None,
    margin: float,
    confidence: float,
) -> Array:
    """The checked values, as logarithms with NaN for what is missing."""
    table = np.asarray(values, dtype=float)
    if table.ndim != 2 or table.shape[1] != len(labels):
        raise ValueError(f"values must be blocks x {len(labels)} entries, not {table.shape}")
    if len(set(labels)) != len(labels):
        raise ValueError("two entries have the same label")
    if not 0 < confidence < 1 or not 0 < margin < 1:
        raise ValueError("confidence and margin must lie between 0 and 1")
    if control and not (control[0] != control[1] and all(0 <= i < len(labels) for i in control)):
        raise ValueError(f"control must name two of the {len(labels)} entries, not {control}")
    return np.log(np.where(np.isfinite(table) & (table > 0), table, np.nan))


def _exp(value: float) -> float:
    # Beyond the range of a float lies nothing a benchmark knows.
    return math.exp(value) if value < 700 else math.inf
