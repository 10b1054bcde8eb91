"""How often something was seen, with the exact interval of its probability."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """`seen` of `of` times; `low` and `high` hold the probability, by Clopper and Pearson (1934,
    Biometrika 26, 404-413)."""

    seen: int
    of: int
    low: float
    high: float

    @classmethod
    def count(cls, seen: int, of: int, confidence: float = 0.95) -> Share:
        """The share of `seen` in `of`."""
        from scipy.stats import beta

        rest = (1 - confidence) / 2
        low = float(beta.ppf(rest, seen, of - seen + 1)) if seen else 0.0
        high = float(beta.ppf(1 - rest, seen + 1, of - seen)) if seen < of else 1.0
        return cls(seen, of, low, high)

    def __str__(self) -> str:
        if not self.of:
            return "none"
        share = self.seen / self.of
        return f"{self.seen} of {self.of} ({share:.1%} [{self.low:.1%}, {self.high:.1%}])"
