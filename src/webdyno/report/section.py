"""What every format shows of a scenario under a load: a section, and a row for each entry in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.catalog.terms.metric import METRICS
from webdyno.report.numbers import MISSING, Scale, with_interval
from webdyno.report.pooled import rate_of
from webdyno.run.judgement.figures import least_of

if TYPE_CHECKING:
    from webdyno.store.records import FlagRecord, TrialRecord
    from webdyno.store.unmeasured_cell import UnmeasuredCell
    from webdyno.store.verdicts import RatioRecord, VerdictRecord

STILL_WARMING = "still warming"
"""Stands in place of a ratio where an entry was not shown to be warm: its place is open."""

DISQUALIFIED = "disqualified"
"""Stands there where an entry was proven to lie."""


@dataclass(frozen=True)
class EntryRow:
    """One entry in one section. `rank` is None where it is not ranked, and `reason` says why."""

    entry: str
    trials: tuple[TrialRecord, ...]
    medians: dict[str, float | None]
    rank: int | None = None
    tied: bool = False
    alone: bool = False
    """Whether no other entry is ranked: it is the first of nobody."""
    interval: tuple[float, float] | None = None
    ratio: RatioRecord | None = None
    """How much better the first entry is than this one; None for the first and the unranked."""
    limit: str = ""
    reason: str = ""
    flags: tuple[tuple[FlagRecord, int], ...] = ()
    """Each doubt, with the number of trials that have it; without those that `reason` tells."""
    warming: bool = False
    """Its figure is shown, but it was not shown to be warm, so that its place is open."""
    few: str = ""
    """`one block; three are needed` where there are too few to give it a place."""
    disqualified: bool = False
    """It was proven to lie, so that it has neither place nor figure."""

    @property
    def place(self) -> str:
        """Its place as tables show it: a dash where it has none."""
        return str(self.rank) if self.rank else MISSING

    @property
    def good(self) -> int:
        """Number of trials that count."""
        return sum(trial.status == "ok" for trial in self.trials)

    @property
    def rates(self) -> list[float]:
        """The rate of each trial that counts; none of an entry without figures."""
        found = (rate_of(trial) for trial in self.trials if trial.status == "ok")
        return [] if self.disqualified else [rate for rate in found if rate is not None]

    def rate_text(self, scale: Scale, rate: str, unit: bool = False) -> str:
        """The entry's `rate`, a metric, as tables show it: `at least 1,000` where it could do more
        than was asked of it."""
        value = self.medians.get(rate)
        least = "at least " if value and least_of(self.trials, rate) else ""
        return least + (scale.with_unit(value) if unit else scale.text(value))

    @property
    def standing(self) -> str:
        """How far behind the first it is: `1.22x [1.20, 1.25]`; `first`; `reference` where the
        first place is shared, so that the one the others are compared with is not called first;
        a dash where no other is ranked."""
        if self.ratio is not None:
            return with_interval(self.ratio.estimate, self.ratio.low, self.ratio.high)
        if self.warming:
            return STILL_WARMING
        if self.disqualified:
            return DISQUALIFIED
        if self.rank == 1 and not self.alone:
            return "reference" if self.tied else "first"
        return MISSING

    @property
    def control(self) -> bool:
        """Whether this is the second entry of the A/A pair."""
        return any(trial.control for trial in self.trials)

    @property
    def remedy(self) -> str:
        """What may settle the place of an entry that was still warming."""
        if any(trial.is_evidence for trial in self.trials):
            return "raise --budget, or warmup.max"
        return "raise warmup.max"


@dataclass(frozen=True)
class Section:
    """One scenario under one load: the ranked rows (best first), those whose place is open because
    they were still warming, the others that are not ranked, the verdicts."""

    scenario: str
    load: str
    verdict: VerdictRecord | None
    others: tuple[VerdictRecord, ...]
    unranked: tuple[EntryRow, ...]
    groups: tuple[tuple[EntryRow, ...], ...]
    """The ranked rows, best first; those that ties join are together."""
    absent: tuple[UnmeasuredCell, ...] = ()
    """Who was asked for and has no trial here, and why."""
    few: str = ""
    """`one block; three are needed` where there are too few to rank its entries."""
    warming: tuple[EntryRow, ...] = ()

    @property
    def rate(self) -> str:
        """The rate that its tables show: the throughput, or the capacity at an objective."""
        searched = any(t.search is not None for row in self.rows for t in row.trials)
        return METRICS.searched if searched else METRICS.leading

    @property
    def by_rate(self) -> bool:
        """Whether its entries are ranked by that rate."""
        return self.verdict is not None and self.verdict.metric == self.rate

    @property
    def ranked(self) -> tuple[EntryRow, ...]:
        """The ranked rows, best first."""
        return tuple(row for group in self.groups for row in group)

    @property
    def rows(self) -> tuple[EntryRow, ...]:
        """All rows, ranked ones first."""
        return self.ranked + self.warming + self.unranked

    @property
    def charted(self) -> tuple[EntryRow, ...]:
        """The rows that charts draw: a server that lied has no figure anywhere."""
        return tuple(row for row in self.rows if not row.disqualified)
