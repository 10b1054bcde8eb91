"""Build times as a table with bars: cold, clean, incremental, on one scale."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.numbers import MISSING, duration, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webdyno.store.records import BuildTimesRecord, RunRecord


@dataclass(frozen=True)
class Cell:
    """One kind of build: the median, its range over the repetitions, its part of the longest."""

    text: str
    spread: str
    part: float

    @property
    def words(self) -> str:
        """Both in one line, for a format without layout."""
        return f"{self.text} ({self.spread})" if self.spread else self.text


@dataclass(frozen=True)
class Row:
    """One server; `cells` are cold, clean and incremental."""

    server: str
    cells: tuple[Cell, Cell, Cell]
    changed_file: str
    artefact: str
    note: str


@dataclass(frozen=True)
class Table:
    """All servers of a run, in the study's order; `repetitions` of clean and incremental builds."""

    rows: tuple[Row, ...]
    repetitions: int


def table(run: RunRecord) -> Table:
    """The build times of `run`; without rows where it measured none."""
    seconds = [s for one in run.build_times for s in _all(one)]
    most = max(seconds, default=0.0)
    return Table(
        rows=tuple(_row(one, most) for one in run.build_times),
        repetitions=max((len(one.clean_s) for one in run.build_times), default=0),
    )


def _row(one: BuildTimesRecord, most: float) -> Row:
    cold = [] if one.cold_s is None else [one.cold_s]
    return Row(
        server=one.server,
        cells=(_cell(cold, most), _cell(one.clean_s, most), _cell(one.incremental_s, most)),
        changed_file=one.changed_file,
        artefact=size(one.artefact_bytes),
        note=one.note,
    )


def _cell(seconds: Sequence[float], most: float) -> Cell:
    if not seconds:
        return Cell(MISSING, "", 0.0)
    middle = statistics.median(seconds)
    spread = f"{duration(min(seconds))} to {duration(max(seconds))}" if len(seconds) > 1 else ""
    return Cell(duration(middle), spread, middle / most if most else 0.0)


def _all(one: BuildTimesRecord) -> list[float]:
    return [*([] if one.cold_s is None else [one.cold_s]), *one.clean_s, *one.incremental_s]
