"""From a run's records to what every format shows: one section a scenario and load.

Pure: reads records, draws no conclusion of its own. Ranks, ties, ratios and intervals are the
verdict's; the other figures of a row are medians over the entry's good trials.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from webdyno.report.numbers import counted
from webdyno.report.pooled import find_ratio, medians
from webdyno.report.section import EntryRow, Section
from webdyno.report.too_few_blocks import too_few_blocks
from webdyno.run.record.unmeasured_cells import unmeasured_cells

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from webdyno.store.cell import CellKey
    from webdyno.store.records import FlagRecord, RunRecord, Skipped, TrialRecord
    from webdyno.store.verdicts import RankedPlace, VerdictRecord

COLD = frozenset({"never-steady", "perhaps-cold"})
"""Flags that say of a trial what `warming` says of an entry."""

NO_VERDICT = "no verdict: the run ended before its blocks could be compared"
NO_VERDICT_YET = "no verdict yet: too few blocks are measured"

SUCH_AS = "for example: "
"""Before a message whose figures are those of one trial of several."""


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
    order = {entry.title: index for index, entry in enumerate(run.study.scenarios)}
    return sorted(seen, key=lambda pair: order.get(pair[0], len(order)))


def _section(run: RunRecord, scenario: str, load: str) -> Section:
    cell = (scenario, load)
    verdicts = [verdict for verdict in run.verdicts if verdict.cell == cell]
    verdict = verdicts[0] if verdicts else None
    trials = _by_entry(run, cell)
    reasons = {left.entry: left.reason for left in verdict.not_ranked} if verdict else {}
    lacking = too_few_blocks(verdict)
    groups: list[tuple[EntryRow, ...]] = []
    open_: list[str] = []
    if verdict is not None:
        groups = (
            _one_by_one(verdict, trials, reasons, lacking)
            if lacking
            else _tie_groups(verdict, trials)
        )
        open_ = [one for one in verdict.still_warming if not _is_twin(trials.get(one, []))]
    warming = tuple(_warming(_row(e, trials.get(e, []), verdict, reason=reasons[e])) for e in open_)
    placed = {row.entry for group in (*groups, warming) for row in group}
    unranked = _unranked(verdict, trials, reasons, placed)
    if run.status == "running":
        unranked = tuple(
            replace(row, reason=NO_VERDICT_YET) if row.reason == NO_VERDICT else row
            for row in unranked
        )
    return Section(
        scenario=scenario,
        load=load,
        verdict=verdict,
        others=tuple(verdicts[1:]),
        unranked=unranked,
        groups=tuple(groups),
        absent=tuple(row for row in unmeasured_cells(run) if row.cell == cell),
        few=lacking,
        warming=warming,
    )


def _by_entry(run: RunRecord, cell: CellKey) -> dict[str, list[TrialRecord]]:
    trials: dict[str, list[TrialRecord]] = {}
    for trial in run.trials:
        if trial.cell == cell:
            trials.setdefault(trial.entry, []).append(trial)
    return trials


def _tie_groups(
    verdict: VerdictRecord, trials: Mapping[str, Sequence[TrialRecord]]
) -> list[tuple[EntryRow, ...]]:
    """The ranked entries: those that ties join in one group, in the order of their places."""
    places = verdict.places()
    return [
        tuple(
            _row(one, trials.get(one, []), verdict, place)
            for one, place in places.items()
            if one in names
        )
        for names in verdict.groups
    ]


def _one_by_one(
    verdict: VerdictRecord,
    trials: Mapping[str, Sequence[TrialRecord]],
    reasons: Mapping[str, str],
    lacking: str,
) -> list[tuple[EntryRow, ...]]:
    """The entries where there are too few blocks to rank them, as `lacking` says: each for itself,
    so that nothing reads as a tie; the better figure first."""
    figures = verdict.medians
    mine = [e for e in figures if e not in reasons and not _is_twin(trials.get(e, []))]
    mine.sort(key=lambda entry: figures[entry], reverse=verdict.higher_is_better)
    rows = (_row(entry, trials.get(entry, []), None) for entry in mine)
    return [(replace(row, few=lacking, reason=""),) for row in rows]


def _unranked(
    verdict: VerdictRecord | None,
    trials: Mapping[str, Sequence[TrialRecord]],
    reasons: Mapping[str, str],
    placed: Collection[str],
) -> tuple[EntryRow, ...]:
    """Whoever is not `placed`: first who lied, then who is left out for another reason."""
    lied = verdict.disqualified if verdict else []
    rows = (
        _row(entry, trials.get(entry, []), verdict, reason=reasons.get(entry, ""))
        for entry in dict.fromkeys([*lied, *reasons, *trials])
        if entry not in placed
    )
    return tuple(_disqualified(row) if row.entry in lied else row for row in rows)


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
    return replace(row, disqualified=True, medians={}, interval=None, limit="", flags=())


def _is_twin(trials: Sequence[TrialRecord]) -> bool:
    return any(trial.control for trial in trials)


def _row(
    entry: str,
    trials: Sequence[TrialRecord],
    verdict: VerdictRecord | None,
    place: RankedPlace | None = None,
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
        rank=place and place.number,
        tied=place is not None and place.tied,
        alone=verdict is not None and verdict.is_alone,
        # An interval without an end cannot be drawn, and says no more than that there is none.
        interval=ends if ends and all(map(math.isfinite, ends)) else None,
        ratio=find_ratio(verdict, first, entry) if verdict and place and entry != first else None,
        limit=_most_common(trial.limit for trial in good),
        reason="" if place else _why_unranked(trials, verdict, reason),
        flags=_flags(trials),
    )


def _most_common(names: Iterable[str]) -> str:
    counts = Counter(name for name in names if name)
    return counts.most_common(1)[0][0] if counts else ""


def _flags(trials: Iterable[TrialRecord]) -> tuple[tuple[FlagRecord, int], ...]:
    """Each doubt once, with the number of trials that have it. Messages differ only in their
    figures; where they do, the first stands as an example."""
    flags: dict[str, tuple[FlagRecord, int]] = {}
    for trial in trials:
        for flag in {flag.code: flag for flag in trial.flags}.values():
            first, count = flags.get(flag.code, (flag, 0))
            if flag.message != first.message and not first.message.startswith(SUCH_AS):
                first = first.model_copy(update={"message": f"{SUCH_AS}{first.message}"})
            flags[flag.code] = (first, count + 1)
    return tuple(flags.values())


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
