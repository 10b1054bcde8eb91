"""Figures without repetition: said as such, and never ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webdyno.report.numbers import counted

if TYPE_CHECKING:
    from webdyno.store.verdicts import VerdictRecord

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def few(verdict: VerdictRecord | None) -> str:
    """`one block; three are needed`; empty where there are enough to compare."""
    if verdict is None or not verdict.too_few:
        return ""
    have = f"{_word(verdict.blocks)} block{'' if verdict.blocks == 1 else 's'}"
    return f"{have}; {_word(verdict.blocks_needed)} are needed"


def few_of(verdicts: list[VerdictRecord]) -> str:
    """The same of several verdicts, by the one that has most; empty where any has enough."""
    if not verdicts or not all(verdict.too_few for verdict in verdicts):
        return ""
    most = max(verdicts, key=lambda verdict: verdict.blocks)
    where = f" in any of {counted(len(verdicts), 'comparison')}" if len(verdicts) > 1 else ""
    return f"Nothing can be compared{where}: {few(most)}"


def _word(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else str(count)
