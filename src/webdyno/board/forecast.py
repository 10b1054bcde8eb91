"""What there is to measure, before anything is: cells, pieces of a first pass, and their time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from webdyno.board.matrix import CellKind, Matrix
from webdyno.board.pieces import Piece
from webdyno.board.schedule import BESIDE, NextPiece, next_piece, piece_for, unfinished
from webdyno.board.state import BoardColumn
from webdyno.report.numbers import counted
from webdyno.words import duration

KINDS: dict[CellKind, str] = {
    "placed": "placed",
    "changed": "changed since",
    "open": "without a place yet",
    "failed": "failed",
    "unavailable": "not available here",
}
"""Each kind of cell, in words."""


@dataclass(frozen=True)
class BoardForecast:
    """`pieces` and `seconds` are those of a pass that gives every cell a place, builds not counted;
    `open_pairs` are comparisons that are not settled among cells which have one; `begun` is a piece
    that is finished before another is begun."""

    cells: Counter[CellKind]
    scenarios: int
    servers: int
    pieces: int
    seconds: float
    open_pairs: int
    next: NextPiece | None
    begun: Piece | None

    def lines(self) -> list[str]:
        """In words."""
        kinds = ", ".join(f"{self.cells[kind]} {KINDS[kind]}" for kind in sorted(self.cells))
        sentences = [
            f"{counted(self.cells.total(), 'cell')} of {counted(self.servers, 'server')} and "
            f"{counted(self.scenarios, 'scenario')}: {kinds}"
        ]
        if self.pieces:
            sentences.append(
                f"to place every cell: {counted(self.pieces, 'piece')}, about "
                f"{duration(self.seconds)}; builds are extra"
            )
        if self.open_pairs:
            sentences.append(f"{counted(self.open_pairs, 'comparison')} not settled yet")
        if self.next is None:
            return [*sentences, "everything is settled"]
        if self.begun is not None:
            why = "was interrupted" if self.begun.cut_short else "had no time for enough blocks"
            return [
                *sentences,
                f"first: {self.begun.scenario}: run {self.begun.run} goes on, which {why}",
            ]
        entries = ", ".join(self.next.entries)
        return [*sentences, f"first: {self.next.scenario}: {entries} ({self.next.why})"]


def forecast(columns: Sequence[BoardColumn], matrix: Matrix) -> BoardForecast:
    """What a sitting would begin with, and how long until every cell has a place."""
    pieces, seconds = 0, 0.0
    for column in columns:
        new = column.new()
        for begin in range(0, len(new), BESIDE):
            pieces += 1
            seconds += piece_for(column, new[begin : begin + BESIDE], "").likely_s
    return BoardForecast(
        Counter(cell.kind for row in matrix.rows for cell in row.cells.values()),
        len(matrix.headings),
        len(matrix.rows),
        pieces,
        seconds,
        sum(heading.open_pairs for heading in matrix.headings),
        next_piece(columns),
        next(iter(unfinished(columns)), None),
    )
