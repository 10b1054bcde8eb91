"""From pieces to a ranking: intervals of ratios, linked through servers that pieces share.

The intervals of a pair's pieces are intersected, as far back as they agree. Of a server's pieces
that say anything, number j is judged with an error of `piece_error(j)`; these add up to no more
than the board's, so the intersection holds with its confidence however often a pair was measured,
and whenever one stops.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from webdyno.verdict.comparison.outcomes import outcome_of
from webdyno.verdict.types import Outcome

ERROR = 0.05
"""Of each interval of the board: it holds with 95% confidence."""

Relation = Literal["better", "worse", "equal", "unknown"]
_RELATIONS: dict[Outcome, Relation] = {
    "equal": "equal", "faster": "better", "slower": "worse", "not separated": "unknown",
}  # fmt: skip


@dataclass(frozen=True)
class Interval:
    """How much better one server is than another: 1.25 is 25% better. `contradicted`: the newest
    piece excludes those before it, and the interval spans both."""

    low: float
    high: float
    contradicted: bool = False

    def turned(self) -> Interval:
        """The same, seen from the other server."""
        high = 1 / self.low if self.low > 0 else math.inf
        return Interval(1 / self.high if self.high > 0 else math.inf, high, self.contradicted)

    def over(self, other: Interval) -> Interval:
        """This ratio divided by `other`, both to the same reference."""
        inverse = other.turned()
        contradicted = self.contradicted or other.contradicted
        return Interval(self.low * inverse.low, self.high * inverse.high, contradicted)

    @property
    def estimate(self) -> float:
        """The geometric middle."""
        return math.sqrt(self.low * self.high)

    @property
    def width(self) -> float:
        """How uncertain it is: the logarithm of its upper end over its lower one."""
        return math.log(self.high / self.low) if self.low > 0 else math.inf

    def relation(self, margin: float) -> Relation:
        """What it says, where differences within `margin` do not matter."""
        if self.contradicted:
            return "unknown"
        return _RELATIONS[outcome_of(self.low, self.high, margin)]


def piece_error(attempt: int) -> float:
    """The error of a server's piece number `attempt`, counted from 1: 1/2, 1/6, 1/12 ... of the
    board's, which add up to all of it."""
    return ERROR / (attempt * (attempt + 1))


def intersected(intervals: Sequence[Interval]) -> Interval:
    """What the newest of `intervals`, which come first, agree on.

    Where two or more agree, what older ones said before them holds no more. Where the newest one
    stands alone, nobody knows yet which is right: what spans it and those before it.
    """
    newest, count = _agreed(intervals)
    if count == len(intervals) or count > 1:
        return newest
    before, _ = _agreed(intervals[1:])
    return Interval(min(newest.low, before.low), max(newest.high, before.high), True)


def _agreed(intervals: Sequence[Interval]) -> tuple[Interval, int]:
    """What the first of `intervals` have in common, and how many of them have anything."""
    low, high = intervals[0].low, intervals[0].high
    for count, one in enumerate(intervals[1:], 1):
        if max(low, one.low) > min(high, one.high):
            return Interval(low, high), count
        low, high = max(low, one.low), min(high, one.high)
    return Interval(low, high), len(intervals)


@dataclass(frozen=True)
class Standing:
    """The servers of one scenario, as far as they are linked to its `reference`."""

    reference: str
    direct: Mapping[tuple[str, str], Interval]
    """Of pairs that were measured in the same pieces, each in one order."""
    margin: float

    @property
    def linked(self) -> list[str]:
        """The reference and all that were measured beside it."""
        beside = [one for pair in self.direct if self.reference in pair for one in pair]
        return list(dict.fromkeys([self.reference, *beside])) if beside else []

    def pair(self, of: str, to: str) -> Interval | None:
        """How much better `of` is than `to`, measured directly; None where it was not."""
        if (of, to) in self.direct:
            return self.direct[of, to]
        return self.direct[to, of].turned() if (to, of) in self.direct else None

    def to_reference(self, entry: str) -> Interval | None:
        """How much better `entry` is than the reference."""
        return Interval(1.0, 1.0) if entry == self.reference else self.pair(entry, self.reference)

    def between(self, of: str, to: str) -> Interval | None:
        """The narrower of what was measured directly and what follows through the reference."""
        intervals = [self.pair(of, to)]
        one, other = self.to_reference(of), self.to_reference(to)
        if one is not None and other is not None:
            intervals.append(one.over(other))
        return min((each for each in intervals if each), key=lambda each: each.width, default=None)

    def contradicting(self, of: str, to: str) -> list[str]:
        """Of the two those whose pieces contradict each other, so that nothing is known of the
        pair; empty where that is not so."""
        between = self.between(of, to)
        if between is None or not between.contradicted:
            return []
        links = {one: self.to_reference(one) for one in (of, to)}
        mine = [one for one, link in links.items() if link is not None and link.contradicted]
        return mine or [of, to]

    def relation(self, of: str, to: str) -> Relation:
        """Whether one is better; what was measured directly decides where it says anything."""
        direct = self.pair(of, to)
        if direct is not None and (relation := direct.relation(self.margin)) != "unknown":
            return relation
        linked = self.between(of, to)
        return "unknown" if linked is None else linked.relation(self.margin)

    def place(self, entry: str) -> tuple[int, int]:
        """The places that `entry` may have among the linked servers: first and last."""
        others = [one for one in self.linked if one != entry]
        relations = [self.relation(entry, one) for one in others]
        return 1 + relations.count("worse"), len(others) + 1 - relations.count("better")

    def open_pairs(self) -> list[tuple[float, str, str]]:
        """Pairs that are not settled, with their uncertainty; the widest first."""
        linked = self.linked
        pairs = [(a, b) for i, a in enumerate(linked) for b in linked[i + 1 :]]
        open_pairs = []
        for one, other in pairs:
            between = self.between(one, other)
            if between is not None and self.relation(one, other) == "unknown":
                open_pairs.append((between.width, one, other))
        return sorted(open_pairs, key=lambda each: -each[0])
