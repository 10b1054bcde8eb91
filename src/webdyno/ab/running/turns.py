"""How long the turns of two running services are, and how long a load of them.

They cannot be frozen: what is under way when a turn ends is answered while the other is loaded, so
that its work is outside of the turn, and its answer within. By Little's law that is the time of an
answer's worth of work a turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from webdyno.catalog.loads.load import TURN_S
from webdyno.words import duration

ANSWERS = 40
"""Times an answer that a turn lasts at least: what is under way at its end is a fortieth of it."""

LEAST_TURNS = 3
"""Of a load that is made in turns."""

LONGEST_S = 1.0
"""Of a turn: the longer it is, the less do both meet the same machine."""


@dataclass(frozen=True)
class Turns:
    """How a load is made: `load_s` seconds in all, in turns of `length_s`, each followed by
    `settle_s` in which the service ends what is under way. In one piece where `length_s` is 0."""

    load_s: float
    length_s: float
    settle_s: float


def turns_of(answer_s: float, load_s: float, most_s: float) -> Turns:
    """The turns under a load in which an answer takes `answer_s`. The load lasts `load_s`, or
    longer where its turns need it, up to `most_s`."""
    length_s = max(TURN_S, ANSWERS * answer_s)
    whole_s = max(load_s, min(LEAST_TURNS * length_s, most_s))
    if LEAST_TURNS * length_s > whole_s or length_s > LONGEST_S:
        return Turns(whole_s, 0.0, 0.0)
    # By then all is answered but what took longer than most.
    return Turns(whole_s, length_s, 2 * answer_s)


def turns_note(turns: Iterable[Turns]) -> str:
    """How loads were made, at the beginning of a sentence."""
    lengths = sorted({one.length_s for one in turns if one.length_s})
    if not lengths:
        return "Loads one after the other"
    shortest, longest = duration(lengths[0]), duration(lengths[-1])
    return f"Turns of {shortest}" + (f" to {longest}" if shortest != longest else "")
