"""From a run's records to what every format shows: one section a scenario and load.

Pure: reads records, draws no conclusion of its own. Ranks, ties, ratios and intervals are the
verdict's; the other figures of a row are medians over the entry's good trials.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from webdyno.catalog.metric import METRICS
from webdyno.report.few import few
from webdyno.report.numbers import MISSING, Scale, counted, with_interval
from webdyno.report.pooled import find_ratio, medians, rate_of
from webdyno.run.judgement.metric import least_of
from webdyno.run.record.absent import absent_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webdyno.store.absent import Absent
    from webdyno.store.records import FlagRecord, RunRecord, Skipped, TrialRecord
    from webdyno.store.verdicts import RatioRecord, VerdictRecord

STILL_WARMING = "still warming"
"""Stands in place of a ratio where an entry was not shown to be warm: its place is open."""

DISQUALIFIED = "disqualified"
"""Stands there where an entry was proven to lie."""

COLD = frozenset({"never-steady", "perhaps-cold"})
"""Flags that say of a trial what `STILL_WARMING` says of an entry."""

NO_VERDICT = "no verdict: the run ended before its blocks could be compared"
NO_VERDICT_YET = "no verdict yet: too few blocks are measured"

SUCH_AS = "for example: "
"""Before a message whose figures are those of one trial of several."""


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
    bottleneck: str = ""
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
    ranked: tuple[EntryRow, ...]
    unranked: tuple[EntryRow, ...]
    groups: tuple[tuple[EntryRow, ...], ...] = field(default=())
    absent: tuple[Absent, ...] = ()
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
    def rows(self) -> tuple[EntryRow, ...]:
        """All rows, ranked ones first."""
        return self.ranked + self.warming + self.unranked

    @property
    def charted(self) -> tuple[EntryRow, ...]:
        """The rows that charts draw: a server that lied has no figure anywhere."""
        return tuple(row for row in self.rows if not row.disqualified)


def sections(run: RunRecord) -> list[Section]:
    """The sections of `run`, in the order of its study."""
    return [_section(run, scenario, load) for scenario, load in _pairs(run)]


def scope(run: RunRecord, scenario: str, load: str) -> str:
    """Name a section as briefly as is clear: the load is left out where there is only one."""
    loads = {pair[1] for pair in _pairs(run)}
    return scenario if len(loads) < 2 else f"{scenario} under {load}"


def left_out(run: RunRecord) -> list[Skipped]:
    """Servers without any trial that no row tells of: of runs made before every row was told, and
    less those for which the plan's own words say that there was no time."""
    told = run.plan.left_out if run.plan else []
    return [] if run.absent else [left for left in run.skipped if left.server not in told]


def _pairs(run: RunRecord) -> list[tuple[str, str]]:
    seen = {trial.cell: None for trial in run.trials}
    seen |= {verdict.cell: None for verdict in run.verdicts}
    seen |= {row.cell: None for row in run.absent}
    order = {entry.title: index for index, entry in enumerate(run.asked.scenarios)}
    return sorted(seen, key=lambda pair: order.get(pair[0], len(order)))


def _section(run: RunRecord, scenario: str, load: str) -> Section:
    found = [v for v in run.verdicts if v.cell == (scenario, load)]
    verdict = found[0] if found else None
    trials: dict[str, list[TrialRecord]] = {}
    lied = verdict.disqualified if verdict else []
    for trial in run.trials:
        if trial.cell == (scenario, load):
            trials.setdefault(trial.entry, []).append(trial)
    groups: list[tuple[EntryRow, ...]] = []
    rank = 1
    lacking = few(verdict)
    for names in verdict.groups if verdict and not lacking else []:
        groups.append(tuple(_row(e, trials.get(e, []), verdict, rank, len(names)) for e in names))
        rank += len(names)
    reasons = {left.entry: left.reason for left in verdict.not_ranked} if verdict else {}
    if verdict and lacking:
        # Each for itself, so that nothing reads as a tie; the better figure first.
        figures = verdict.medians
        mine = [e for e in figures if e not in reasons and not _is_twin(trials.get(e, []))]
        mine.sort(key=lambda entry: figures[entry], reverse=verdict.higher_is_better)
        rows = (_row(entry, trials.get(entry, []), None) for entry in mine)
        groups = [(replace(row, few=lacking, reason=""),) for row in rows]
    ranked = tuple(row for group in groups for row in group)
    left_out = [e for e in [*lied, *reasons, *trials] if e not in {row.entry for row in ranked}]
    open_ = verdict.still_warming if verdict else []
    open_ = [entry for entry in open_ if not _is_twin(trials.get(entry, []))]
    warming = tuple(_warming(_row(e, trials.get(e, []), verdict, reason=reasons[e])) for e in open_)
    unranked = tuple(
        _row(entry, trials.get(entry, []), verdict, reason=reasons.get(entry, ""))
        for entry in dict.fromkeys(left_out)
        if entry not in open_
    )
    unranked = tuple(_disqualified(row) if row.entry in lied else row for row in unranked)
    if run.status == "running":
        unranked = tuple(
            replace(row, reason=NO_VERDICT_YET) if row.reason == NO_VERDICT else row
            for row in unranked
        )
    absent = tuple(row for row in absent_of(run) if row.cell == (scenario, load))
    return Section(
        scenario,
        load,
        verdict,
        tuple(found[1:]),
        ranked,
        unranked,
        tuple(groups),
        absent,
        lacking,
        warming,
    )


def _warming(row: EntryRow) -> EntryRow:
    """`row` as that of an entry which is still warming: its reason told once."""
    return replace(
        row,
        warming=True,
        interval=None,  # Of too few trials, it would say nothing but look like a finding.
        reason=row.reason.removeprefix("not settled: "),
        flags=tuple((flag, count) for flag, count in row.flags if flag.code not in COLD),
    )


def _disqualified(row: EntryRow) -> EntryRow:
    """`row` as that of an entry which was proven to lie: without figures, since nobody knows what
    they are figures of, and without doubts about them."""
    return replace(row, disqualified=True, medians={}, interval=None, bottleneck="", flags=())


def _is_twin(trials: Sequence[TrialRecord]) -> bool:
    return any(trial.control for trial in trials)


def _row(
    entry: str,
    trials: Sequence[TrialRecord],
    verdict: VerdictRecord | None,
    rank: int | None = None,
    group_size: int = 1,
    reason: str = "",
) -> EntryRow:
    good = [trial for trial in trials if trial.status == "ok"]
    first = verdict.groups[0][0] if verdict and verdict.groups else entry
    figures = medians(good)
    if verdict and entry in verdict.medians:
        figures[verdict.metric] = verdict.medians[entry]
    figures = {name: v for name, v in figures.items() if v is None or math.isfinite(v)}
    ends = verdict.intervals.get(entry) if verdict else None
    return EntryRow(
        entry=entry,
        trials=tuple(sorted(trials, key=lambda trial: trial.block)),
        medians=figures,
        rank=rank,
        tied=group_size > 1,
        alone=verdict is not None and verdict.is_alone,
        # An interval without an end cannot be drawn, and says no more than that there is none.
        interval=ends if ends and all(map(math.isfinite, ends)) else None,
        ratio=find_ratio(verdict, first, entry) if verdict and rank and entry != first else None,
        bottleneck=_most_common(trial.limit for trial in good),
        reason="" if rank else _why_unranked(trials, verdict, reason),
        flags=_flags(trials),
    )


def _most_common(names: Iterable[str]) -> str:
    counts = Counter(name for name in names if name)
    return counts.most_common(1)[0][0] if counts else ""


def _flags(trials: Iterable[TrialRecord]) -> tuple[tuple[FlagRecord, int], ...]:
    """Each doubt once, with the number of trials that have it. Messages differ only in their
    figures; where they do, the first stands as an example."""
    found: dict[str, tuple[FlagRecord, int]] = {}
    for trial in trials:
        for flag in {flag.code: flag for flag in trial.flags}.values():
            first, count = found.get(flag.code, (flag, 0))
            if flag.message != first.message and not first.message.startswith(SUCH_AS):
                first = first.model_copy(update={"message": f"{SUCH_AS}{first.message}"})
            found[flag.code] = (first, count + 1)
    return tuple(found.values())


def _why_unranked(trials: Sequence[TrialRecord], verdict: VerdictRecord | None, reason: str) -> str:
    lied = verdict is not None and bool(trials) and trials[0].entry in verdict.disqualified
    if _is_twin(trials) and not lied and (not reason or reason.startswith("not settled: ")):
        return "the A/A control: the same server, entered a second time"
    if reason:
        return reason
    bad = [trial for trial in trials if trial.status != "ok"]
    if trials and len(bad) == len(trials):
        return f"{counted(len(bad), 'trial')}, none valid: {bad[0].reason or bad[0].status}"
    return "not in the verdict" if verdict else NO_VERDICT
