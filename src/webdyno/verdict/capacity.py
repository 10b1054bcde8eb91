"""A server's capacity at an objective, from the searches of a run's trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

import numpy as np

NORMAL_95 = 1.96
"""Half-width of a 95% interval in standard deviations."""


class CapacityFound(Protocol):
    """What one search found: `store.search.SearchRecord` or
    `verdict.search.objective.SearchFinding`."""

    @property
    def kind(self) -> str: ...
    @property
    def capacity_rps(self) -> float: ...
    @property
    def low_rps(self) -> float: ...
    @property
    def high_rps(self) -> float: ...


Found = TypeVar("Found", bound=CapacityFound)


@dataclass(frozen=True)
class Capacity:
    """The rate that one server, with the cores it was given, handles within the objective.

    `met`: the capacity lies in [low, high]. `at-least`: it is `low_rps` or more (`high_rps` is
    infinite), because the generator or `max_rate` was the limit. `not-met`: zero.
    """

    kind: Literal["met", "at-least", "not-met"]
    rps: float
    low_rps: float
    high_rps: float
    trials: int
    confidence: float


def is_least(searches: Sequence[CapacityFound]) -> bool:
    """Whether half of an entry's searches or more show the least that it can do, and no more; or
    all of those that found a rate."""
    least = sum(search.kind == "at-least" for search in searches)
    rates = sum(search.capacity_rps > 0 for search in searches)
    return least > 0 and (least * 2 >= len(searches) or least >= rates)


def telling(searches: Sequence[Found]) -> list[Found]:
    """Those of an entry's searches that say where its capacity lies. One that ended at a bound
    below what the others found says nothing of it; above, it counts for the least that it is."""
    some = [search for search in searches if search.capacity_rps > 0]
    met = [search for search in some if search.kind != "at-least"]
    if is_least(searches) or not met:
        return some
    middle = math.exp(sum(math.log(search.capacity_rps) for search in met) / len(met))
    return [one for one in some if one.kind != "at-least" or one.capacity_rps > middle]


def capacity(searches: Sequence[CapacityFound], confidence: float = 0.95) -> Capacity | None:
    """The capacity with its interval, from one search a block; None without one that found a rate,
    or that none meets the objective.

    The geometric mean of the searches with Student's interval of their logarithms. Searches that
    agree by chance, or a single one, cannot make it narrower than what each of them leaves open:
    the spread is taken to be at least that of the searches' own intervals. What half of the
    trials or more concluded (`not-met`, `at-least`) is the conclusion; see `telling` for those of
    fewer that are `at-least`.
    """
    if not searches:
        return None
    count = len(searches)
    if sum(search.kind == "not-met" for search in searches) * 2 >= count:
        return Capacity("not-met", 0.0, 0.0, 0.0, count, confidence)
    known = telling(searches)
    if not known:
        return None
    met = [search for search in known if search.kind != "at-least"]
    if is_least(searches):
        least = min(search.capacity_rps for search in known if search.kind == "at-least")
        return Capacity("at-least", least, least, math.inf, count, confidence)
    logs = np.log([search.capacity_rps for search in known])
    own = float(np.mean([_own_error(search) for search in met]))
    middle, size = float(logs.mean()), len(known)
    if size == 1:
        from scipy.special import ndtri

        half = float(ndtri(0.5 + confidence / 2)) * own
        low, high = known[0].low_rps, known[0].high_rps
        low, high = min(low, math.exp(middle - half)), max(high, math.exp(middle + half))
        return Capacity("met", math.exp(middle), low, high, count, confidence)
    from scipy.special import stdtrit

    spread = max(float(logs.std(ddof=1)), own)
    half = float(stdtrit(size - 1, 0.5 + confidence / 2)) * spread / math.sqrt(size)
    low, high = math.exp(middle - half), math.exp(middle + half)
    return Capacity("met", math.exp(middle), low, high, count, confidence)


def _own_error(search: CapacityFound) -> float:
    """Standard deviation of the logarithm that the search's own interval stands for."""
    if not 0 < search.low_rps <= search.high_rps < math.inf:
        return 0.0
    return math.log(search.high_rps / search.low_rps) / 2 / NORMAL_95
