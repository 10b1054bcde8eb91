"""Figures without repetition: said as such, and never ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webdyno.report.numbers import counted
from webdyno.verdict.comparison.lacking import lacking

if TYPE_CHECKING:
    from webdyno.store.verdicts import VerdictRecord


def too_few_blocks(verdict: VerdictRecord | None) -> str:
    """`one block; three are needed`; empty where there are enough to compare."""
    if verdict is None or not verdict.too_few:
        return ""
    return lacking(verdict.blocks, "block", verdict.blocks_needed)


def too_few_blocks_of(verdicts: list[VerdictRecord]) -> str:
    """The same of several verdicts, by the one that has most; empty where any has enough."""
    if not verdicts or not all(verdict.too_few for verdict in verdicts):
        return ""
    most = max(verdicts, key=lambda verdict: verdict.blocks)
    where = f" in any of {counted(len(verdicts), 'comparison')}" if len(verdicts) > 1 else ""
    return f"Nothing can be compared{where}: {too_few_blocks(most)}"
