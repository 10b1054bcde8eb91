"""The board as a matrix: a place and an interval for each server in each scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from webdyno.board.state import BoardColumn
from webdyno.catalog.catalog import Catalog

CellKind = Literal["placed", "changed", "open", "failed", "unavailable"]
"""placed: it has a place; changed: it was measured, but something has changed since; open: not
measured yet, or not enough; failed: measured, and not ranked; unavailable: it cannot be built."""


@dataclass(frozen=True)
class BoardCell:
    """A server in a scenario. `ratio`, `low` and `high` say how much better than the reference."""

    kind: CellKind
    note: str = ""
    first: int = 0
    last: int = 0
    of: int = 0
    ratio: float = 1.0
    low: float = 1.0
    high: float = 1.0
    median: float | None = None
    contradicted: bool = False
    measured: datetime | None = None
    """When its newest piece began."""
    pieces: int = 0
    run: str = ""


@dataclass(frozen=True)
class Row:
    """A server, with what readers filter by."""

    server: str
    language: str
    framework: str
    kind: str
    """What runs its handlers; empty where its manifest does not say it."""
    cells: Mapping[str, BoardCell] = field(default_factory=dict)
    model: str = ""
    """What runs its handlers in the manifest's own words."""


@dataclass(frozen=True)
class Heading:
    """A scenario: its reference and the services it needs."""

    scenario: str
    reference: str
    services: tuple[str, ...]
    open_pairs: int


@dataclass(frozen=True)
class Matrix:
    """The whole board."""

    headings: Sequence[Heading]
    rows: Sequence[Row]
    confidence: float

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        held = asdict(self)
        for row in held["rows"]:
            for cell in row["cells"].values():
                moment = cell["measured"]
                cell["measured"] = None if moment is None else moment.isoformat()
        return held


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
            column.scenario: _cell(column, entry)
            for column in columns
            if entry in column.entries or entry in column.unavailable
        }
        contender = catalog.contender(entry)
        manifest = contender.server.manifest
        stated = contender.server.concurrency_of(contender.variant)
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
    return Matrix(headings, sorted(rows, key=_mean_place), confidence)


def _cell(column: BoardColumn, entry: str) -> BoardCell:
    if entry in column.unavailable:
        return BoardCell("unavailable", column.unavailable[entry])
    standing, newest = column.standing(), column.newest(entry)
    found = standing.to_reference(entry) if entry in standing.linked else None
    if found is None or newest is None:
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
        ratio=found.estimate,
        low=found.low,
        high=found.high,
        median=newest.medians.get(entry),
        contradicted=found.contradicted,
        measured=newest.started,
        pieces=column.attempts(entry),
        run=newest.run,
    )


def _mean_place(row: Row) -> tuple[bool, float, str]:
    placed = [(c.first + c.last) / (2 * c.of) for c in row.cells.values() if c.kind == "placed"]
    return not placed, sum(placed) / len(placed) if placed else 0.0, row.server
