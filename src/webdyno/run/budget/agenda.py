"""What is measured within a budget: the headline three times before anything else once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webdyno.catalog.loads.load import Closed, Load, Open
from webdyno.catalog.studies.full_headline import FullHeadline, full_headline
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.budget.estimates import Estimate
from webdyno.run.budget.planned import SENTINEL_S
from webdyno.run.study.plan import Cell, Matchup
from webdyno.store.agenda import PlannedCell, PlanRecord
from webdyno.store.cell import CellKey

SHORTEST_S = 2.0
"""No closed load is made shorter than this to fit a budget: shorter ones are noise."""

Estimates = Mapping[tuple[str, CellKey], Estimate]


@dataclass(frozen=True)
class _PlannedRow:
    """A cell as it is planned: who competes, and how often it has to be measured."""

    cell: Cell
    entries: tuple[str, ...]
    blocks: int
    sentinel_s: float

    @property
    def key(self) -> CellKey:
        return self.cell.key

    @property
    def published(self) -> bool:
        return self.cell.load.method == "as-published"

    def seconds(
        self, expected: Estimates, length_s: float | None, entries: Sequence[str] | None = None
    ) -> float:
        """All its blocks, of `entries` alone where given, measured for `length_s`."""
        who = self.entries if entries is None else [one for one in self.entries if one in entries]
        trials = sum(expected[one, self.key].at(length_s) for one in who)
        return self.blocks * (trials + (0.0 if self.published else self.sentinel_s))


def agenda(
    study: StudyManifest,
    matchups: Sequence[Matchup],
    expected: Estimates,
    *,
    whole: bool = False,
    everybody: bool = False,
) -> PlanRecord:
    """The plan of a run, from the study with its budget and what its trials are expected to take.

    Everything, where the budget carries the fewest blocks of it. Else the headline's cell, and then
    the other cells in the study's order as far as the budget carries them, what is done as
    published last. Where not even the headline fits, its load is measured for less time; and where
    that is not enough, by fewer servers, those that the headline names first; by all the same with
    `everybody`. With `whole` everything is planned, whatever the budget.
    """
    question = full_headline(study)
    rows = _rows(study, matchups, question)
    lengths = {row.key: _shortest_open(row.cell.load) for row in rows}
    full = {row.key: row.seconds(expected, lengths[row.key]) for row in rows}
    all_s = sum(full.values())
    entries = list(dict.fromkeys(matchup.entry.label for matchup in matchups))
    kept, shortened = entries, {}
    first = rows[0]
    carried = whole or all_s <= study.budget
    if not carried:
        length = _length(first, expected, study.budget)
        if length is not None:
            lengths |= {row.key: length for row in rows if row.cell.load.label() == question.load}
            shortened = {question.load: length}
        if not everybody:
            kept = _kept(first, entries, matchups, question, expected, lengths, study.budget)
    seconds = {row.key: row.seconds(expected, lengths[row.key], kept) for row in rows}
    left = study.budget - seconds[first.key]
    planned = {first.key}
    for row in rows[1:]:
        if carried or seconds[row.key] <= left:
            planned.add(row.key)
            left -= seconds[row.key]
    return PlanRecord(
        question=question.question,
        scenario=question.scenario,
        load=question.load,
        metric=question.metric,
        servers=list(question.servers),
        named=question.named,
        whole=whole,
        everybody=everybody,
        budget_s=study.budget,
        all_s=round(all_s, 1),
        cells=[
            PlannedCell(
                scenario=row.cell.title,
                load=row.cell.load.label(),
                published=row.published,
                blocks=row.blocks,
                planned=row.key in planned,
                seconds={
                    one: round(expected[one, row.key].at(lengths[row.key]), 2)
                    for one in row.entries
                },
            )
            for row in rows
        ],
        lengths_s=shortened,
        entries=kept,
        left_out=[one for one in entries if one not in kept],
    )


def by_priority(
    entries: Sequence[str], matchups: Sequence[Matchup], first: Sequence[str]
) -> list[str]:
    """`entries` in the order in which they are kept where not all can be: those named `first` in
    their order, the control behind them, then the others in the study's order."""
    known = {matchup.entry.label: matchup.entry for matchup in matchups}
    place = {label: index for index, label in enumerate(first)}

    def of(one: str) -> tuple[bool, bool, int]:
        label, control = known[one].server_variant.label, known[one].control
        return label not in place, control, place.get(label, 0)

    return sorted(entries, key=of)


def planned_matchups(matchups: Sequence[Matchup], plan: PlanRecord) -> list[Matchup]:
    """The matchups that take part, with their loads as long as they are made."""
    made = []
    for matchup in matchups:
        if matchup.entry.label not in plan.entries:
            continue
        cell, load = matchup.cell, matchup.cell.load
        length = plan.lengths_s.get(load.label())
        if length is not None and isinstance(load, Closed):
            load = load.model_copy(update={"name": load.label(), "duration": length})
            cell = Cell(cell.scenario, cell.parameters, load)
        made.append(Matchup(matchup.entry, cell))
    return made


def _rows(
    study: StudyManifest, matchups: Sequence[Matchup], question: FullHeadline
) -> list[_PlannedRow]:
    """The cells in the order in which they are begun."""
    entries: dict[CellKey, list[str]] = {}
    cells: dict[CellKey, Cell] = {}
    for matchup in matchups:
        entries.setdefault(matchup.cell.key, []).append(matchup.entry.label)
        cells[matchup.cell.key] = matchup.cell
    sentinel_s = SENTINEL_S if study.sentinel else 0.0
    rows = [
        _PlannedRow(
            cell,
            tuple(entries[key]),
            1 if cell.load.method == "as-published" else study.blocks.min,
            sentinel_s,
        )
        for key, cell in cells.items()
    ]
    headline = (question.scenario, question.load)
    return sorted(rows, key=lambda row: (row.key != headline, row.published))


def _shortest_open(load: Load) -> float | None:
    """An open load that may be shortened counts as short as it may be: what is left of the budget
    makes its phases longer again (`run.blocks.load_fitting`)."""
    if isinstance(load, Open) and load.shortest is not None:
        return sum(min(phase.duration_s, load.shortest) for phase in load.parsed())
    return None


def _length(row: _PlannedRow, expected: Estimates, budget_s: float) -> float | None:
    """How long the headline's closed load is measured; None where that stays as it is."""
    load = row.cell.load
    if not isinstance(load, Closed) or row.published or load.duration <= SHORTEST_S:
        return None
    if row.seconds(expected, None) <= budget_s:
        return None
    beside_s = row.seconds(expected, 0.0)
    length = (budget_s - beside_s) / (row.blocks * len(row.entries))
    return max(SHORTEST_S, math.floor(10 * length) / 10)


def _kept(
    row: _PlannedRow,
    entries: list[str],
    matchups: Sequence[Matchup],
    question: FullHeadline,
    expected: Estimates,
    lengths: Mapping[CellKey, float | None],
    budget_s: float,
) -> list[str]:
    """Who takes part: all, or as many as the headline's blocks have time for, but two at least."""
    length = lengths[row.key]
    if row.published or row.seconds(expected, length) <= budget_s:
        return entries
    kept: list[str] = []
    for one in by_priority(row.entries, matchups, question.servers):
        if len(kept) < 2 or row.seconds(expected, length, [*kept, one]) <= budget_s:
            kept.append(one)
    return [one for one in entries if one in kept]
