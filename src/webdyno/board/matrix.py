"""The board as a matrix: a place and an interval for each server in each scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from webdyno.board.link import Standing
from webdyno.board.state import BoardColumn
from webdyno.catalog.catalog import Catalog
from webdyno.store.document import Moment, described
from webdyno.store.record import FigureOrNan

CellKind = Literal["placed", "changed", "open", "failed", "unavailable"]


@described
@dataclass(frozen=True)
class BoardCell:
    """A server in a scenario. All but the kind, the note and the run are only of one that is
    placed."""

    kind: CellKind
    """placed: it has a place; changed: it was measured, but something has changed since; open: not
    measured yet, or not enough; failed: measured, and not ranked; unavailable: it cannot be
    built."""
    note: str = ""
    """Why it has no place."""
    first: int = 0
    """The best place that it may have, from 1 on."""
    last: int = 0
    """The worst place that it may have."""
    of: int = 0
    """Servers that have a place."""
    ratio: FigureOrNan = 1.0
    """How much better than the reference it is: 1.25 is 25% better."""
    low: FigureOrNan = 1.0
    """Lower end of the ratio's interval."""
    high: FigureOrNan = 1.0
    """Upper end of the ratio's interval; infinite where nothing bounds it."""
    median: float | None = None
    """Median of its figures in its newest piece, in the metric's unit."""
    contradicted: bool = False
    """Whether its pieces contradict each other."""
    measured: Moment | None = None
    """When its newest piece began."""
    pieces: int = 0
    """Pieces in which it was measured."""
    run: str = ""
    """Id of its newest piece's run."""


@described
@dataclass(frozen=True)
class Row:
    """A server, with what readers filter by."""

    server: str
    """LANGUAGE/NAME, with the variant."""
    language: str
    """That it is written in."""
    framework: str
    """Its framework's name."""
    kind: str
    """What runs its handlers; empty where its manifest does not say it."""
    cells: Mapping[str, BoardCell] = field(default_factory=dict)
    """By scenario, those that it implements."""
    model: str = ""
    """What runs its handlers in the manifest's own words."""


@described
@dataclass(frozen=True)
class Heading:
    """A scenario."""

    scenario: str
    """Its name."""
    reference: str
    """The server that ratios are against."""
    services: tuple[str, ...]
    """That it needs, such as databases."""
    open_pairs: int
    """Pairs of servers that are not settled."""


@described
@dataclass(frozen=True)
class Matrix:
    """The whole board."""

    headings: Sequence[Heading]
    """The scenarios."""
    rows: Sequence[Row]
    """The servers by their mean place, those without one last."""
    confidence: float
    """With which each interval holds, on its own, however often its pair was measured."""


def matrix_of(columns: Sequence[BoardColumn], catalog: Catalog, confidence: float) -> Matrix:
    """What is known today; servers by their mean place, those without one last."""
    standings = {column.scenario: column.standing() for column in columns}
    headings = [
        Heading(
            column.scenario,
            column.reference,
            tuple(catalog.scenario(column.scenario).manifest.services),
            len(standings[column.scenario].open_pairs()),
        )
        for column in columns
    ]
    rows = []
    for entry in dict.fromkeys(e for c in columns for e in (*c.entries, *c.unavailable)):
        cells = {
            column.scenario: _cell(column, standings[column.scenario], entry)
            for column in columns
            if entry in column.entries or entry in column.unavailable
        }
        server_variant = catalog.server_variant(entry)
        manifest = server_variant.server.manifest
        stated = server_variant.server.concurrency_of(server_variant.variant)
        rows.append(
            Row(
                entry,
                manifest.language,
                manifest.framework,
                stated.kind or "",
                cells,
                stated.model,
            )
        )
    return Matrix(
        headings,
        sorted(rows, key=lambda row: by_mean_place(row.server, row.cells.values())),
        confidence,
    )


def _cell(column: BoardColumn, standing: Standing, entry: str) -> BoardCell:
    if entry in column.unavailable:
        return BoardCell("unavailable", column.unavailable[entry])
    newest = column.newest(entry)
    interval = standing.to_reference(entry) if entry in standing.linked else None
    if interval is None or newest is None:
        if stale := column.stale(entry):
            return BoardCell("changed", stale)
        if failed := column.failed(entry):
            return BoardCell("failed", failed, run=newest.run if newest else "")
        return BoardCell("open", "measured, but not enough" if newest else "not measured yet")
    first, last = standing.place(entry)
    return BoardCell(
        "placed",
        first=first,
        last=last,
        of=len(standing.linked),
        ratio=interval.estimate,
        low=interval.low,
        high=interval.high,
        median=newest.medians.get(entry),
        contradicted=interval.contradicted,
        measured=newest.started,
        pieces=column.attempts(entry),
        run=newest.run,
    )


def by_mean_place(server: str, cells: Iterable[BoardCell]) -> tuple[bool, float, str]:
    """What a server is sorted by: the mean of the places of its `cells`, each as a share of the
    servers in its scenario, and then its name. Those without any place come last."""
    placed = [(cell.first + cell.last) / (2 * cell.of) for cell in cells if cell.kind == "placed"]
    return not placed, sum(placed) / len(placed) if placed else 0.0, server
