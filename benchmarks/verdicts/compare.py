"""A verdict's ratio beside the one that a long load shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.verdicts.ratio import Interval
from webdyno.store.verdicts import RatioRecord, VerdictRecord

Place = Literal["inside", "overlaps", "outside", "no interval", "no truth"]
"""Where the truth lies: within the verdict's interval; beyond its end, by no more than the truth is
itself uncertain by; farther; or nobody knows."""

SETTLED = ("faster", "slower", "equal")


@dataclass(frozen=True)
class Compared:
    """A pair: what its run says and whether that is so. `server` by `to`, above 1 is faster."""

    server: str
    to: str
    run: str
    outcome: str
    """The run's word; where it has no ratio of the pair, why."""
    said: Interval | None
    truth: Interval | None
    place: Place
    holds: bool | None
    """Whether a settled pair's word is true, as far as the truth is known; else None."""

    @property
    def settled(self) -> bool:
        """Whether the run came to a conclusion about the pair."""
        return self.outcome in SETTLED


def compared(
    verdict: VerdictRecord | None, pair: tuple[str, str], run: str, truth: Interval | None
) -> Compared:
    """What `verdict` says of a pair, against the truth; each may be missing."""
    server, to = pair
    found = _ratio(verdict, server, to)
    if found is None or verdict is None:
        place: Place = "no truth" if truth is None else "no interval"
        return Compared(server, to, run, _why(verdict, pair), None, truth, place, None)
    said = Interval(found.estimate, found.low, found.high)
    outcome = "too few blocks" if verdict.too_few else found.outcome
    # Not ranked for now: what was measured of it settles nothing.
    outcome = next((n.reason for n in verdict.not_ranked if n.entry in pair), outcome)
    holds = None
    if truth is not None and outcome in SETTLED:
        holds = _holds(outcome, verdict.margin, truth)
    return Compared(server, to, run, outcome, said, truth, place_of(said, truth), holds)


def place_of(said: Interval, truth: Interval | None) -> Place:
    """Where the truth lies beside the interval that was said."""
    if truth is None:
        return "no truth"
    if not (said.low > 0 and math.isfinite(said.high)):
        return "no interval"
    if said.low <= truth.ratio <= said.high:
        return "inside"
    return "overlaps" if truth.low <= said.high and said.low <= truth.high else "outside"


def _holds(outcome: str, margin: float, truth: Interval) -> bool:
    """False only where all that may be true contradicts the word."""
    if outcome == "faster":
        return truth.high > 1
    if outcome == "slower":
        return truth.low < 1
    return truth.low <= 1 + margin and truth.high >= 1 / (1 + margin)


def _ratio(verdict: VerdictRecord | None, server: str, to: str) -> RatioRecord | None:
    """The ratio of `server` by `to`, whichever way round it was stored."""
    for ratio in [] if verdict is None else verdict.ratios:
        if (ratio.of, ratio.to) == (server, to):
            return ratio
        if (ratio.to, ratio.of) == (server, to):
            turned = {"faster": "slower", "slower": "faster"}
            return ratio.model_copy(
                update={
                    "of": server,
                    "to": to,
                    "estimate": 1 / ratio.estimate,
                    "low": 1 / ratio.high,
                    "high": 1 / ratio.low if ratio.low > 0 else math.inf,
                    "outcome": turned.get(ratio.outcome, ratio.outcome),
                }
            )
    return None


def _why(verdict: VerdictRecord | None, pair: tuple[str, str]) -> str:
    if verdict is None:
        return "no verdict"
    reasons = [left.reason for left in verdict.not_ranked if left.entry in pair]
    return "; ".join(reasons) or "not compared"


@dataclass(frozen=True)
class Counts:
    """How many of the pairs are what."""

    pairs: int
    with_interval: int
    """That have an interval, and a truth to hold it against."""
    inside: int
    not_outside: int
    """The same, allowing for the truth's own uncertainty."""

    @classmethod
    def of(cls, pairs: Sequence[Compared]) -> Counts:
        """Count `pairs`."""
        places = [pair.place for pair in pairs]
        inside, overlaps = places.count("inside"), places.count("overlaps")
        beyond = places.count("outside")
        return cls(len(places), inside + overlaps + beyond, inside, inside + overlaps)
