"""Published figures beside ours under every load, with the places that both give the servers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.catalog.terms.metric import METRICS
from webdyno.report.numbers import MISSING
from webdyno.report.tables import published

if TYPE_CHECKING:
    from webdyno.report.section import Section
    from webdyno.store.stored_study import PublishedFigure


@dataclass(frozen=True)
class RatioRow:
    """A published figure beside ours: a cell for each load, with the place among the published."""

    entry: str
    note: str
    value: str
    theirs: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RatioTable:
    """The published figures of one scenario and metric, as ratios to `reference`."""

    scenario: str
    metric: str
    reference: str
    columns: tuple[str, ...]
    rows: tuple[RatioRow, ...]
    changes: str


def ratio_tables(
    sections: Sequence[Section], figures: Sequence[PublishedFigure]
) -> Iterator[RatioTable]:
    """A table for each scenario and metric of `figures`, with a column for each load."""
    for scenario in dict.fromkeys(section.scenario for section in sections):
        mine = [section for section in sections if section.scenario == scenario]
        with_tables = [(section, published.tables(section, figures)) for section in mine]
        kinds = dict.fromkeys(
            (table.key, table.ratio) for _, found in with_tables for table in found
        )
        for kind in kinds:
            chosen = [
                (section, table)
                for section, found in with_tables
                for table in found
                if (table.key, table.ratio) == kind
            ]
            yield _table(scenario, chosen, figures)


def _table(
    scenario: str,
    chosen: list[tuple[Section, published.PublishedTableShown]],
    figures: Sequence[PublishedFigure],
) -> RatioTable:
    section, first = chosen[0]
    key = first.key
    entries = [row.entry for row in first.rows]
    values = {
        figure.server: figure.value
        for figure in figures
        if (figure.scenario, figure.metric, figure.ratio) == (scenario, key, first.ratio)
        and figure.load in ("", section.load)
    }
    places = [_places(key, {entry: values.get(entry) for entry in entries})]
    places += [
        # A place that one block gave may be another's in the next.
        {} if section.few else _ranks(section, key, entries)
        for section, _ in chosen
    ]
    rows = []
    for row in first.rows:
        cells = []
        for (_, table), place in zip(chosen, places[1:], strict=True):
            ours = next((other.ours for other in table.rows if other.entry == row.entry), "")
            if table.reference != first.reference:
                ours = MISSING  # Not to be compared: the reference was not measured there.
            cells.append((ours, _place(row.entry, place)))
        theirs = f"{row.theirs}, place {places[0][row.entry]}"
        rows.append(RatioRow(row.entry, row.note, row.value, theirs, tuple(cells)))
    return RatioTable(
        scenario=scenario,
        metric=first.metric,
        reference=first.reference,
        columns=tuple(section.load for section, _ in chosen),
        rows=tuple(rows),
        changes=_changes([section.load for section, _ in chosen][:2], places[1:3]),
    )


def _ranks(section: Section, metric: str, entries: Sequence[str]) -> dict[str, int]:
    """The places of `entries` among themselves: those of the verdict on `metric`, which ties what
    it could not tell apart, and else by their medians."""
    judged = (one for one in (section.verdict, *section.others) if one is not None)
    verdict = next((one for one in judged if one.metric == metric), None)
    if verdict is None:
        return _places(metric, {r.entry: r.medians.get(metric) for r in section.rows
                                if r.entry in entries})  # fmt: skip
    return {entry: place.number for entry, place in verdict.places(entries).items()}


def _place(entry: str, places: Mapping[str, int]) -> str:
    """`place 2`, or `place 2 (tie)`; empty for one without a place."""
    if entry not in places:
        return ""
    tied = list(places.values()).count(places[entry]) > 1
    return f"place {places[entry]}{' (tie)' if tied else ''}"


def _places(metric: str, values: Mapping[str, float | None]) -> dict[str, int]:
    """Places by value of `metric`, best first."""
    known = {entry: value for entry, value in values.items() if value is not None}
    highest_first = metric in METRICS and METRICS[metric].higher_is_better
    best_first = sorted(known, key=lambda entry: known[entry], reverse=highest_first)
    return {entry: place for place, entry in enumerate(best_first, start=1)}


def _changes(columns: list[str], places: list[dict[str, int]]) -> str:
    """Who is in another place under the second load than under the first, the published one."""
    if len(columns) < 2 or not all(places):
        return ""
    first, last = places[0], places[-1]
    moved = [
        f"{entry} from {first[entry]} to {last[entry]}"
        for entry in first
        if entry in last and first[entry] != last[entry]
    ]
    span = f"From {columns[0]} to {columns[-1]}"
    return f"{span} places change: {', '.join(moved)}." if moved else f"{span} no place changes."
