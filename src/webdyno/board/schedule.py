"""Which piece is measured next: what has no place yet, then the most uncertain comparison."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from webdyno.board.link import piece_error
from webdyno.board.state import BoardColumn

BESIDE = 3
"""Servers of a piece beside its reference: few, so that stopping costs little."""

SECONDS_A_SERVER = 30.0
"""Of a first piece: three blocks, also of servers that take seconds to get warm. Each further one
of a server takes twice as long as the one before."""

LEAST_S = 15.0
"""With less time left no piece is begun."""


@dataclass(frozen=True)
class Next:
    """A piece to be measured: `entries`, the reference first, at most for `seconds`."""

    scenario: str
    entries: tuple[str, ...]
    seconds: float
    confidence: float
    why: str


def next_piece(
    columns: Sequence[BoardColumn], tried: Collection[tuple[str, str]] = ()
) -> Next | None:
    """The piece that is worth the most; None where everything is settled.

    `tried` are scenarios and entries that this sitting could not measure, and does not try again.
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
    pairs = [(*pair, column) for column in columns for pair in column.standing().open_pairs()]
    pairs = [one for one in pairs if not _given_up(one[3], tried, one[1:3])]
    if not pairs:
        return None
    _, one, other, column = max(pairs, key=lambda pair: pair[0])
    chosen = [entry for entry in (one, other) if entry != column.reference]
    for _, *pair, where in sorted(pairs, key=lambda pair: -pair[0]):
        if where is column and set(pair) & set(chosen):
            chosen += [each for each in pair if each not in (*chosen, column.reference)]
    return piece_for(column, chosen[:BESIDE], f"{one} and {other} are not settled")


def _given_up(
    column: BoardColumn, tried: Collection[tuple[str, str]], entries: tuple[str, str]
) -> bool:
    return any((column.scenario, entry) in tried for entry in entries)


def piece_for(column: BoardColumn, entries: Sequence[str], why: str) -> Next:
    """The next piece of `entries` and their column's reference, with the time it gets."""
    attempt = 1 + max(column.attempts(entry) for entry in entries)
    seconds = SECONDS_A_SERVER * (1 + len(entries)) * math.ldexp(1.0, min(attempt, 8) - 1)
    judged = 1 + max(column.judged(entry) for entry in entries)
    confidence = 1 - piece_error(judged)
    return Next(column.scenario, (column.reference, *entries), seconds, confidence, why)
