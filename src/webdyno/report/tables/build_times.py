"""Build times as a table with bars: cold, clean, incremental, on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.numbers import size
from webdyno.report.tables.bars import BarCell, cell
from webdyno.words import duration

if TYPE_CHECKING:
    from webdyno.store.records import BuildTimesRecord, RunRecord


@dataclass(frozen=True)
class BuildRow:
    """One server; `cells` are cold, clean and incremental."""

    server: str
    cells: tuple[BarCell, BarCell, BarCell]
    changed_file: str
    artefact: str
    note: str


@dataclass(frozen=True)
class BuildTable:
    """All servers of a run, in the study's order.

    `repetitions` is how often clean and incremental builds were made, such as `3` or `2 to 3`.
    """

    rows: tuple[BuildRow, ...]
    repetitions: str


def table(run: RunRecord) -> BuildTable:
    """The build times of `run`; without rows where it measured none."""
    seconds = [s for one in run.build_times for s in _all(one)]
    most = max(seconds, default=0.0)
    return BuildTable(
        rows=tuple(_row(one, most) for one in run.build_times),
        repetitions=_repetitions(run),
    )


def _row(one: BuildTimesRecord, most: float) -> BuildRow:
    cold = [] if one.cold_s is None else [one.cold_s]
    return BuildRow(
        server=one.server,
        cells=(
            cell(cold, most, duration),
            cell(one.clean_s, most, duration),
            cell(one.incremental_s, most, duration),
        ),
        changed_file=one.changed_file,
        artefact=size(one.artefact_bytes),
        note=one.note,
    )


def _repetitions(run: RunRecord) -> str:
    counts = {len(one.clean_s) for one in run.build_times if one.clean_s}
    if len(counts) > 1:
        return f"{min(counts)} to {max(counts)}"
    return str(counts.pop() if counts else 0)


def _all(one: BuildTimesRecord) -> list[float]:
    return [*([] if one.cold_s is None else [one.cold_s]), *one.clean_s, *one.incremental_s]
