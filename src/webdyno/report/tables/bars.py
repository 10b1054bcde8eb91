"""Table cells with a bar: the median of repetitions, their range, and its part of the longest."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.numbers import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class BarCell:
    """One figure: the median, its range over the repetitions, its part of the table's largest."""

    text: str
    spread: str
    part: float

    @property
    def words(self) -> str:
        """Both in one line, for a format without layout."""
        return f"{self.text} ({self.spread})" if self.spread else self.text


def cell(values: Sequence[float], most: float, text: Callable[[float], str]) -> BarCell:
    """The cell of `values` in a table whose largest is `most`; a dash where there are none.

    A range whose ends read alike is left out.
    """
    if not values:
        return BarCell(MISSING, "", 0.0)
    middle = statistics.median(values)
    low, high = text(min(values)), text(max(values))
    spread = f"{low} to {high}" if low != high else ""
    return BarCell(text(middle), spread, middle / most if most else 0.0)
