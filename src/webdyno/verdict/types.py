"""What the statistics conclude: plain immutable values, with the words that reports use."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

Outcome = Literal["faster", "slower", "equal", "not separated", "too few blocks"]
"""How a pair ended; docs/verdict.md has the definitions. "faster" is better on the metric."""


@dataclass(frozen=True)
class Ratio:
    """How much better `of` is than `to`: 1.25 is 25% better, whichever way the metric is up."""

    of: str
    to: str
    estimate: float
    """Geometric mean of the ratios within blocks; NaN where no block holds both."""
    low: float
    high: float
    """Ends of the interval, which holds together with those of all other pairs and looks; 0 and
    infinity where nothing is known yet."""
    p: float
    """p-value of this pair on its own, at this look alone."""
    p_adjusted: float
    """At most this, corrected for all pairs and looks: no more than 1 - confidence exactly where
    the interval excludes 1."""
    outcome: Outcome
    noise: float
    """Standard deviation of the logarithm of the ratio, per block: 0.03 is about 3%."""
    blocks: int
    """Blocks that hold both entries."""
    out_of_reach: bool = False
    """True where no further blocks can settle it: more was not asked of one of the two, and what it
    did is known to be less than the other's, or equal."""

    @property
    def settled(self) -> bool:
        """True where more blocks are not needed."""
        return self.outcome in ("faster", "slower", "equal")

    def turned(self) -> Ratio:
        """The same comparison seen from the other entry."""
        turned: dict[Outcome, Outcome] = {"faster": "slower", "slower": "faster"}
        return Ratio(
            of=self.to,
            to=self.of,
            estimate=_inverse(self.estimate),
            low=_inverse(self.high),
            high=_inverse(self.low),
            p=self.p,
            p_adjusted=self.p_adjusted,
            outcome=turned.get(self.outcome, self.outcome),
            noise=self.noise,
            blocks=self.blocks,
            out_of_reach=self.out_of_reach,
        )


@dataclass(frozen=True)
class Unranked:
    """An entry that is left out of the ranking, and why."""

    entry: str
    reason: str


@dataclass(frozen=True)
class Verdict:
    """What the blocks so far support, for one scenario, load and metric."""

    entries: tuple[str, ...]
    """Every label, in the order given."""
    groups: tuple[tuple[str, ...], ...]
    """Ranked entries, best group first; within a group the better estimate first."""
    ratios: tuple[Ratio, ...]
    """Every pair of ranked entries once, the higher ranked as `of`; but for pairs of which nothing
    can be known, since both could do more than was asked of them."""
    not_ranked: tuple[Unranked, ...]
    control: Ratio | None
    """The A/A pair (second entry against first); None without a control."""
    resolution: float | None
    """The difference this machine could resolve: 0.02 is 2%. None while it is unknown."""
    blocks: int
    settled: bool
    """True where every pair is."""
    higher_is_better: bool
    margin: float
    confidence: float

    def ratio(self, of: str, to: str) -> Ratio:
        """The comparison of two ranked entries, whichever way it is stored. Raises `KeyError`."""
        for ratio in self.ratios:
            if (ratio.of, ratio.to) == (of, to):
                return ratio
            if (ratio.to, ratio.of) == (of, to):
                return ratio.turned()
        raise KeyError(f"no comparison of {of} and {to}")

    def as_dict(self) -> dict[str, Any]:
        """For JSON: tuples as lists, what is unknown (infinite or not a number) as None."""
        found: dict[str, Any] = plain(asdict(self))
        return found


@dataclass(frozen=True)
class NextBlocks:
    """Which entries the next block has to measure."""

    settled: bool
    """True where nothing needs another block."""
    entries_still_needed: tuple[str, ...]
    """In the order of the verdict's entries; empty where settled."""
    blocks_expected: int | None
    """Further blocks that will probably settle everything; None where that is not in sight."""


@dataclass(frozen=True)
class Flag:
    """A doubt about a trial; `message` says what was seen and what to do."""

    code: str
    message: str


def _inverse(value: float) -> float:
    if value == 0:
        return math.inf
    return 1 / value


def plain(value: Any) -> Any:
    """For JSON: tuples as lists, what is infinite or not a number as None."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
