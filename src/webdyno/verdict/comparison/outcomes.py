"""From an interval to a word."""

from __future__ import annotations

from webdyno.verdict.types import Outcome


def outcome_of(low: float, high: float, margin: float) -> Outcome:
    """What the interval [low, high] of a ratio says, in exactly one of four words; `compare` says
    `too few blocks` where blocks lack.

    - `equal`: the whole interval lies within [1 / (1 + margin), 1 + margin]. Asked first, because
      a difference below the margin does not count, even where it is known not to be zero.
    - `faster`, `slower`: otherwise, the interval excludes 1.
    - `not separated`: neither.

    So "faster" need not mean faster by the margin: it means certainly faster, and perhaps by more
    than the margin. Whatever the true ratio is, enough blocks end in a word other than the last.
    """
    if 1 / (1 + margin) <= low and high <= 1 + margin:
        return "equal"
    if low > 1:
        return "faster"
    if high < 1:
        return "slower"
    return "not separated"
