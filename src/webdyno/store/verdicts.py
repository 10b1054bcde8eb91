"""What a run concludes, as typed records: verdicts, and what was seen of the machine."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from webdyno.store.cell import CellKey, InCell
from webdyno.store.record import Amount, Count, FigureOrNan, Record, Shown, is_nothing, known


def _unbounded(value: Any) -> Any:
    return math.inf if value is None else value


def finite(value: float) -> float | None:
    """The number; None where it is infinite or none."""
    return value if math.isfinite(value) else None


End = Annotated[float, BeforeValidator(_unbounded), PlainSerializer(finite, when_used="json")]
"""The upper end of an interval, infinite where the data does not bound it; JSON's null."""


class RatioBounds(NamedTuple):
    """A ratio with the ends of its interval."""

    estimate: float
    low: float
    high: float


class RatioRecord(Record):
    """How much better `of` is than `to`: 1.25 means 25% better, whichever way the metric is up."""

    of: str
    to: str
    estimate: Annotated[float, WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]
    """Geometric mean of the ratios within blocks; where no block holds both, the ratio of their
    medians."""
    low: FigureOrNan
    high: End
    p: float | None = None
    outcome: str = ""
    """faster, slower, equal, not separated, or too few blocks: fewer than three blocks hold both,
    and no others join them."""
    out_of_reach: bool = Field(default=False, exclude_if=is_nothing)
    """See `verdict.types.Ratio.out_of_reach`; left out where it is not."""

    @property
    def is_bounded(self) -> bool:
        """Whether any end of its interval is known: else it is there for its outcome."""
        return self.low > 0 or math.isfinite(self.high)

    def seen_from(self, entry: str) -> RatioBounds:
        """How much better `entry`, one of the two, is than the other, with its interval."""
        if self.of == entry:
            return RatioBounds(self.estimate, self.low, self.high)
        low = 1 / self.high if math.isfinite(self.high) else 0.0
        return RatioBounds(1 / self.estimate, low, 1 / self.low if self.low > 0 else math.inf)


class NotRanked(Record):
    """An entry the verdict leaves out, and why. `still-warming`: too few of its trials were shown
    to be those of a warm server, so its place is open. `disqualified`: one of its trials proved a
    lie, whatever its others yielded."""

    entry: str
    reason: str
    kind: Literal["", "still-warming", "disqualified"] = ""


class RestlessRecord(Record):
    """An entry whose own trials differ by more than the noise of the others explains: its largest
    figure is `spread` above its smallest, where `usual` was to be expected."""

    entry: str
    spread: Amount
    usual: Amount


class BlocksRecord(Record):
    """What the blocks say about the machine and its noise; see `steadiness.series.BlockSeries`."""

    speed: list[float | None]
    """Speed of the machine in each block, as its servers show it; 1.0 is usual."""
    sentinel: list[float | None] = Field(default_factory=list)
    """The same by the sentinel alone."""
    slow: list[int] = Field(default_factory=list)
    """Blocks in a slow phase, counted from 0: kept, but by the sentinel's word for less."""
    drift: float = 0.0
    """Change of the machine's speed per block: -0.01 is 1% slower with each."""
    noise: float | None = None
    """Standard deviation of one entry's figure beside what its block shares, as a part of it."""
    autocorrelation: float = 0.0
    """Of a block with the next; it widens all intervals."""
    trends: dict[str, float] = Field(default_factory=dict)
    """Entries that surely move against the others, with their change per block."""


class WarmupSummary(Record):
    """How an entry's warm-ups ended."""

    trials: int
    never: int
    """Trials in which it still changed at the end of the allowed time."""
    unsure: int = 0
    """Trials that were too short to show whether it did."""
    seconds: float | None = None
    """Median length of a warm-up."""
    steady_after_s: float | None = None
    """Median of the others."""

    @property
    def never_steady(self) -> bool:
        """The verdict: more than half of its trials were not steady."""
        return self.never * 2 > self.trials


class RankedPlace(NamedTuple):
    """A place in a ranking."""

    number: int
    """One more than there are entries that were found better."""
    tied: bool
    """Whether another entry was found neither better nor worse."""

    def __str__(self) -> str:
        return f"{self.number}{'=' if self.tied else ''}"


class VerdictRecord(InCell, Record):
    """What a run concludes for one scenario, load and metric. `groups` is best first."""

    scenario: str
    load: str
    metric: str
    higher_is_better: bool = True
    entries: list[str]
    groups: list[Annotated[list[str], Field(json_schema_extra={"minItems": 1})]]
    ratios: list[RatioRecord]
    """Every pair of ranked entries once, except two that could both do more than was asked of
    them."""
    medians: dict[str, FigureOrNan] = Field(default_factory=dict)
    intervals: dict[str, tuple[FigureOrNan, End]] = Field(default_factory=dict)
    not_ranked: list[NotRanked] = Field(default_factory=list)
    control: RatioRecord | None = None
    resolution: float | None = None
    """Smallest relative difference this machine could resolve in this run (0.03 = 3%)."""
    blocks: Count = 0
    blocks_needed: int = 3
    """Fewer than these show nothing of how the figures vary: no place, no tie, no interval."""
    machine: BlocksRecord | None = None
    warmups: dict[str, WarmupSummary] = Field(default_factory=dict)
    """By entry; empty where the load has no warm-up."""
    restless: list[RestlessRecord] = Field(default_factory=list)
    settled: bool = False
    confidence: float = 0.95
    margin: float = 0.03

    def __repr_args__(self) -> Shown:
        return known(
            scenario=self.scenario,
            load=self.load,
            metric=self.metric,
            groups=self.groups,
            blocks=self.blocks,
            settled=self.settled,
        )

    @property
    def too_few(self) -> bool:
        """True where there are too few blocks to compare anything."""
        return self.blocks < self.blocks_needed

    @property
    def is_alone(self) -> bool:
        """Whether a single entry could be ranked, so that it is the first of nobody."""
        return sum(map(len, self.groups)) == 1

    def places(self, entries: Collection[str] | None = None) -> dict[str, RankedPlace]:
        """The places of the ranked entries, or of the given ones among themselves, best first.

        An entry comes after those that were found better than it, so that one in a group joined by
        a chain of ties is not said to share the first place with one that beats it.
        """
        places: dict[str, RankedPlace] = {}
        for group in self.groups:
            tied = [one for one in group if entries is None or one in entries]
            pairs = [pair for pair in self.ratios if {pair.of, pair.to} <= set(tied)]
            apart = [pair for pair in pairs if pair.outcome in ("faster", "slower")]
            behind = Counter(pair.to if pair.outcome == "faster" else pair.of for pair in apart)
            decided = Counter(one for pair in apart for one in (pair.of, pair.to))
            first = len(places) + 1
            here = {
                one: RankedPlace(first + behind[one], tied=decided[one] < len(tied) - 1)
                for one in tied
            }
            places |= sorted(here.items(), key=lambda item: item[1].number)
        return places

    @property
    def leaders(self) -> list[str]:
        """Those of the first group than which no entry was found better; all of it where that is
        said of a single one or, as in a circle, of none."""
        first = self.groups[0] if self.groups else []
        places = self.places()
        unbeaten = [one for one in first if places[one].number == 1]
        return unbeaten if len(unbeaten) > 1 else first

    def ratio_between(self, one: str, other: str) -> RatioRecord | None:
        """That of two entries, either way round; None where too few blocks hold both."""
        ratio = next((r for r in self.ratios if {r.of, r.to} == {one, other}), None)
        if ratio is None or ratio.outcome == "too few blocks" or not ratio.is_bounded:
            return None
        return ratio

    @property
    def still_warming(self) -> list[str]:
        """Entries whose place is open because they were not shown to be warm."""
        return [left.entry for left in self.not_ranked if left.kind == "still-warming"]

    @property
    def at_least(self) -> list[str]:
        """Entries whose figures are the least that they can do: more was not asked of them."""
        return [
            entry for entry, (low, high) in self.intervals.items() if low > 0 and high == math.inf
        ]

    @property
    def disqualified(self) -> list[str]:
        """Entries that were proven to lie."""
        return [left.entry for left in self.not_ranked if left.kind == "disqualified"]


class SentinelRecord(InCell, Record):
    """The sentinel of one block: a fixed small server under a fixed load, the same in every run.
    What it shows is the machine, whatever the study measures."""

    block: Count
    throughput_rps: Amount
    cpu_us_per_request: Amount
    seconds: Amount
    """Wall time it took in all."""
    scenario: str = ""
    load: str = ""
    """Of what it stands among; empty where its block is one of several scenarios and loads."""
    cells: list[CellKey] = Field(default_factory=list, exclude_if=is_nothing)
    """These, as pairs of scenario and load; where there are none, and no `scenario` either, all."""
