"""How many blocks a difference needs, and which difference a number of blocks resolves."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from webdyno.verdict.estimation.intervals import critical
from webdyno.verdict.sequential.looks import Looks

WIDENING = 1.2
"""By how much the caution of `pairs` (the larger of two variances, autocorrelation) widens an
interval in independent noise: between 1.1 and 1.25 in the simulations, whatever the number of
entries."""

LENT = 2 / 3
"""Part of the other entries' degrees of freedom that a pair gains; from the simulations, too."""

MOST_BLOCKS = 1000
"""Where a search gives up: nobody waits for more."""


def half_width(
    blocks: int,
    noise: float,
    entries: int,
    *,
    looks: Looks | None = None,
    confidence: float = 0.95,
) -> float:
    """Expected half width of a pair's interval after `blocks`, on the logarithm (0.03 is about 3%).

    `noise` is how much one server's figure varies from trial to trial beside what its block has
    in common, as a coefficient of variation; two servers' difference varies by sqrt(2) of that.
    `entries` are the ranked ones, all pairs of which hold together. Infinite before the first look.
    """
    return _half_width(blocks, noise * math.sqrt(2) * WIDENING, entries, looks, confidence)


def blocks_needed(
    difference: float,
    noise: float,
    entries: int,
    *,
    power: float = 0.8,
    confidence: float = 0.95,
) -> int | None:
    """Blocks after which two servers that truly differ by `difference` (0.05 is 5%) have been
    separated with probability `power`; None where more than `MOST_BLOCKS` would be needed."""
    return _first_within(abs(math.log1p(difference)), noise, entries, power, confidence)


def blocks_for_equality(margin: float, noise: float, entries: int) -> int | None:
    """Blocks after which two servers that truly are alike have been shown to be so, within
    `margin`, with a probability of 80%."""
    # The estimate may err to either side.
    return _first_within(math.log1p(margin), noise, entries, power=0.9, confidence=0.95)


def _first_within(
    reach: float, noise: float, entries: int, power: float, confidence: float
) -> int | None:
    """The first look at which an interval, and its error, go no further than `reach`."""
    return _first(lambda n: _reach(n, noise, entries, power, None, confidence) <= reach, Looks())


def resolvable(
    blocks: int,
    noise: float,
    entries: int,
    *,
    power: float = 0.8,
    looks: Looks | None = None,
    confidence: float = 0.95,
) -> float:
    """The smallest true difference (0.05 is 5%) that `blocks` separate with probability `power`."""
    reach = _reach(blocks, noise, entries, power, looks, confidence)
    return math.expm1(reach) if reach < 100 else math.inf


def blocks_to_settle(
    log_ratio: float,
    noise: float,
    entries: int,
    margin: float,
    *,
    looks: Looks | None = None,
    confidence: float = 0.95,
) -> int | None:
    """Blocks in all after which a pair is settled if it goes on as it has begun.

    `noise` is that of the pair (`Ratio.noise`), caution included. None where that is not in sight.
    """
    size = abs(log_ratio)
    return _first(
        lambda n: (
            (width := _half_width(n, noise, entries, looks, confidence)) < size
            or size + width <= math.log1p(margin)
        ),
        looks or Looks(),
    )


def fewest(enough: Callable[[int], bool], least: int, most: int) -> int | None:
    """The smallest number from `least` to `most` that is `enough`, where all larger ones are, too;
    None where none is. Asks few of them: those of a plan of many looks take time."""
    below, step = least - 1, 1
    while not enough(min(below + step, most)):
        below, step = below + step, 2 * step
        if below >= most:
            return None
    among = range(below + 1, min(below + step, most) + 1)
    return among[bisect_left(among, True, key=enough)]


def _half_width(
    blocks: int, pair_noise: float, entries: int, looks: Looks | None, confidence: float
) -> float:
    family_rate = (1 - confidence) / max(1, math.comb(entries, 2))
    error_rate = (looks or Looks()).level(blocks, family_rate)
    if blocks < 2 or error_rate == 0:
        return math.inf
    freedom = (blocks - 1) * (1 + LENT * max(entries - 2, 0))
    return float(critical(np.array(freedom), error_rate)) * pair_noise / math.sqrt(blocks)


def _reach(
    blocks: int,
    noise: float,
    entries: int,
    power: float,
    looks: Looks | None,
    confidence: float,
) -> float:
    """Half width, and what the estimate may fall short by."""
    width = half_width(blocks, noise, entries, looks=looks, confidence=confidence)
    error = noise * math.sqrt(2 / max(blocks, 1))
    return width + NormalDist().inv_cdf(power) * error


def _first(enough: Callable[[int], bool], looks: Looks) -> int | None:
    return next((n for n in range(looks.first, MOST_BLOCKS + 1) if enough(n)), None)
