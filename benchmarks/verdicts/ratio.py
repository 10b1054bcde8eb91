"""The ratio of two servers by their long loads, with what it is uncertain by."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

RISING = 0.95
"""A server whose rate is below so much of its last level is still becoming faster."""


@dataclass(frozen=True)
class Interval:
    """A ratio and the ends of its interval."""

    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class LogRatio:
    """The logarithm of a ratio: mean, standard error, and degrees of freedom of that."""

    mean: float
    error: float
    freedom: float

    @classmethod
    def of(cls, values: Sequence[float]) -> LogRatio:
        """Of independent `values`; unbounded where there are fewer than two."""
        if len(values) < 2:
            return cls(statistics.fmean(values), math.inf, 1.0)
        error = statistics.stdev(values) / math.sqrt(len(values))
        return cls(statistics.fmean(values), error, len(values) - 1.0)

    def __sub__(self, other: LogRatio) -> LogRatio:
        """The ratio of two that were measured apart: errors add up, and Satterthwaite's formula
        (1946, Biometrics Bulletin 2, 110-114) gives the degrees of freedom."""
        mine, theirs = self.error**2, other.error**2
        freedom = min(self.freedom, other.freedom)
        if 0 < mine + theirs < math.inf:
            parts = mine**2 / self.freedom + theirs**2 / other.freedom
            freedom = (mine + theirs) ** 2 / parts
        return LogRatio(self.mean - other.mean, math.sqrt(mine + theirs), freedom)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Student's interval."""
        from scipy.special import stdtrit

        if not math.isfinite(self.error):
            return Interval(math.exp(self.mean), 0.0, math.inf)
        half = float(stdtrit(self.freedom, (1 + confidence) / 2)) * self.error
        return Interval(math.exp(self.mean), math.exp(self.mean - half), math.exp(self.mean + half))


def level_from(rates: Sequence[float]) -> int:
    """The first turn that counts: a third is left out, and more while the server is slower than
    `RISING` of its rate in the last third; the last third always counts."""
    third = len(rates) // 3
    if not third:
        return 0
    last = statistics.median(rates[-third:])
    first = math.ceil(len(rates) / 3)
    while first < len(rates) - third and rates[first] < RISING * last:
        first += 1
    return first


def paired(of: Sequence[float], to: Sequence[float]) -> LogRatio:
    """The ratio of two servers that were loaded in the same rounds, over those in which both are
    level: what a round's machine did to both cancels."""
    first = max(level_from(of), level_from(to))
    rounds = list(zip(of, to, strict=True))[first:]
    return LogRatio.of([math.log(a / b) for a, b in rounds])


def over_lives(lives: Sequence[LogRatio]) -> LogRatio:
    """The ratio over several lives of the servers: they vary more than the turns of one life do,
    so from two lives on only their means count."""
    return lives[0] if len(lives) == 1 else LogRatio.of([life.mean for life in lives])
