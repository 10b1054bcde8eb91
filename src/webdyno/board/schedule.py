"""Which piece is measured next: what has no place yet, then the most uncertain comparison, and last
what earlier pieces contradict each other about."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from webdyno.board.link import piece_error
from webdyno.board.pieces import Piece
from webdyno.board.state import BoardColumn
from webdyno.verdict.sequential.looks import LEAST_BLOCKS

BESIDE = 3
"""Servers of a piece beside its reference: few, so that stopping costs little."""

SECONDS_A_SERVER = 30.0
"""What the fewest blocks take for each server, roughly: a few seconds a trial for most, half a
minute where a compiler has to get warm. Pieces that make a place more exact may take twice as long
for each one before them, and no less than `FIRST_S_A_SERVER`."""

FIRST_S_A_SERVER = 90.0
"""What the first piece of servers may take for each. It ends after the fewest blocks that say
something, so that every server has a place before any is measured more exactly; where none came of
it, the next one gets twice the time and blocks."""

LEAST_S = 15.0
"""With less time left no piece is begun."""


@dataclass(frozen=True)
class NextPiece:
    """A piece to be measured: `entries`, the reference first, at most for `seconds`, and for
    `blocks` where these are bounded."""

    scenario: str
    entries: tuple[str, ...]
    seconds: float
    confidence: float
    why: str
    blocks: int | None = None
    contradicting: tuple[str, ...] = ()
    """Entries that it measures once more because their pieces contradict each other."""

    @property
    def likely_s(self) -> float:
        """How long it will take, roughly: where its blocks are bounded, less than it may."""
        if self.blocks is None:
            return self.seconds
        return SECONDS_A_SERVER * len(self.entries) * self.blocks / LEAST_BLOCKS


def unfinished(columns: Sequence[BoardColumn]) -> list[Piece]:
    """The pieces that a sitting goes on with before it begins another: those that were interrupted
    or had no time for blocks enough, at most the newest of each scenario."""
    pieces = []
    for column in columns:
        newest = next(iter(column.pieces), None)
        if newest is None:
            continue
        is_open = newest.cut_short or newest.too_few
        holds = len(column.today.holds(newest)) == len(newest.made)
        # Where all have their places, another has said it since.
        if is_open and holds and set(newest.made) & set(column.new()):
            pieces.append(newest)
    return pieces


def next_piece(
    columns: Sequence[BoardColumn],
    tried: Collection[tuple[str, str]] = (),
    again: Collection[tuple[str, str]] = (),
) -> NextPiece | None:
    """The piece that is worth the most; None where everything is settled.

    `tried` are scenarios and entries that this sitting could not measure, and does not try again.
    `again` are those that it has measured once more because their pieces contradict each other: it
    does so once, and after all else, since on a restless machine this may never end.
    """
    waiting = []
    for column in columns:
        new = [one for one in column.new() if (column.scenario, one) not in tried]
        if new:
            waiting.append((column.attempts(new[0]), column, new))
    if waiting:
        _, column, new = min(waiting, key=lambda one: one[0])
        stale = next((reason for one in new[:BESIDE] if (reason := column.stale(one))), "")
        never = "measured, but not enough" if column.attempts(new[0]) else "not measured yet"
        return piece_for(column, new[:BESIDE], stale or never)
    candidates = [one for column in columns for one in _open(column) if not one.among(tried)]
    clear = [one for one in candidates if not one.doubtful]
    # Of those that contradict each other, each once.
    clear = clear or [
        one
        for one in candidates
        if any((one.column.scenario, entry) not in again for entry in one.doubtful)
    ]
    return _most_uncertain(clear) if clear else None


@dataclass(frozen=True)
class _UnsettledPair:
    """Two entries of a column that are not settled, and how uncertain that is. `doubtful` are those
    whose pieces contradict each other."""

    column: BoardColumn
    width: float
    one: str
    other: str
    doubtful: tuple[str, ...]

    def among(self, tried: Collection[tuple[str, str]]) -> bool:
        return any((self.column.scenario, entry) in tried for entry in (self.one, self.other))


def _open(column: BoardColumn) -> list[_UnsettledPair]:
    standing = column.standing()
    return [
        _UnsettledPair(column, width, one, other, tuple(standing.contradicting(one, other)))
        for width, one, other in standing.open_pairs()
    ]


def _most_uncertain(pairs: Sequence[_UnsettledPair]) -> NextPiece:
    """A piece of the most uncertain of `pairs`, with the entries that are open beside them."""
    widest = max(pairs, key=lambda pair: pair.width)
    column, reference = widest.column, widest.column.reference
    chosen = [entry for entry in (widest.one, widest.other) if entry != reference]
    for pair in sorted(pairs, key=lambda pair: -pair.width):
        both = (pair.one, pair.other)
        if pair.column is column and set(both) & set(chosen):
            chosen += [each for each in both if each not in (*chosen, reference)]
    why = f"{widest.one} and {widest.other} are not settled"
    if widest.doubtful:
        why = f"pieces of {' and '.join(widest.doubtful)} contradict each other"
    wanted = piece_for(column, chosen[:BESIDE], why)
    return replace(wanted, contradicting=widest.doubtful)


def piece_for(column: BoardColumn, entries: Sequence[str], why: str) -> NextPiece:
    """The next piece of `entries` and their column's reference, with the time it gets."""
    attempts = max(column.attempts(entry) for entry in entries)
    judged = max(column.judged(entry) for entry in entries)
    often = min(attempts, 7)
    if judged:
        # The fewest blocks took the others up to as long.
        each_s, blocks = max(FIRST_S_A_SERVER, math.ldexp(SECONDS_A_SERVER, often)), None
    else:
        each_s, blocks = math.ldexp(FIRST_S_A_SERVER, often), LEAST_BLOCKS << often
    return NextPiece(
        column.scenario,
        (column.reference, *entries),
        each_s * (1 + len(entries)),
        1 - piece_error(judged + 1),
        why,
        blocks,
    )
