"""What is said where there are too few blocks or trials to compare: the same words everywhere."""

from __future__ import annotations

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def lacking(count: int, noun: str, needed: int) -> str:
    """`one block; three are needed`, of so many of `noun` (in the singular)."""
    return f"{_word(count)} {noun}{'' if count == 1 else 's'}; {_word(needed)} are needed"


def _word(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else str(count)
