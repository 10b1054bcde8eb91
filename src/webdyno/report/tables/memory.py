"""What servers hold, as a table with bars: memory at the first answer, at rest and under each load;
the most threads.

Pure: medians over the trials that count, with their range, and no conclusion of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.numbers import size
from webdyno.report.tables.bars import BarCell, cell
from webdyno.store.disqualification import without_disqualified

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webdyno.store.records import Measurement, RunRecord, TrialRecord

AT_START, AT_REST = "At start", "At rest"


@dataclass(frozen=True)
class MemoryLine:
    """One entry under one scenario: a cell of memory for each column, and threads by load.

    `heap` is what its command line asks for, beside what its runtime takes where told nothing.
    """

    entry: str
    cells: tuple[BarCell, ...]
    threads: str
    heap: str = ""


@dataclass(frozen=True)
class Group:
    """The entries of one scenario, in the study's order."""

    scenario: str
    lines: tuple[MemoryLine, ...]


@dataclass(frozen=True)
class MemoryTable:
    """Every server on one scale. `columns` are the kinds of memory, the loads' peaks last."""

    columns: tuple[str, ...]
    groups: tuple[Group, ...]


def table(run: RunRecord) -> MemoryTable:
    """The memory of every entry of `run`; without groups where no trial counts."""
    columns = [AT_START, AT_REST, *(peak_under(load) for load in loads(run))]
    found = {scenario: by_entry(run, scenario) for scenario in scenarios(run)}
    heaps = {server.entry: server.parts.get("heap", "") for server in run.servers}
    figures = {
        (scenario, entry, column): memory(trials, column)
        for scenario, entries in found.items()
        for entry, trials in entries.items()
        for column in columns
    }
    # A run of an earlier version has no memory at start: then the column says nothing.
    columns = [one for one in columns if any(figures[key] for key in figures if key[2] == one)]
    most = max((value for values in figures.values() for value in values), default=0.0)
    return MemoryTable(
        columns=tuple(columns),
        groups=tuple(
            Group(
                scenario,
                tuple(
                    MemoryLine(
                        entry,
                        tuple(
                            cell(figures[scenario, entry, column], most, size) for column in columns
                        ),
                        _span(_measured(trials)),
                        heaps.get(entry, ""),
                    )
                    for entry, trials in entries.items()
                ),
            )
            for scenario, entries in found.items()
            if entries
        ),
    )


def scenarios(run: RunRecord) -> list[str]:
    """The scenarios of the trials that count, in the study's order."""
    order = [scenario.title for scenario in run.study.scenarios]
    return _ordered((trial.scenario for trial in _good(run)), order)


def by_entry(run: RunRecord, scenario: str) -> dict[str, list[TrialRecord]]:
    """The trials of `scenario` that count, by entry in the study's order; no A/A control."""
    found: dict[str, list[TrialRecord]] = {one.entry: [] for one in run.servers}
    for trial in _good(run):
        if trial.scenario == scenario:
            found.setdefault(trial.entry, []).append(trial)
    return {entry: trials for entry, trials in found.items() if trials}


def peak_under(load: str) -> str:
    """The column of the peak under `load`."""
    return f"Peak, {load}"


def memory(trials: Iterable[TrialRecord], column: str) -> list[float]:
    """Bytes in `column` of each of `trials` that has it.

    How a server starts does not depend on the load that comes: all trials tell of it.
    """
    kept = list(trials)
    if column in (AT_START, AT_REST):
        held = [one.memory_bytes for one in _measured(kept)]
        values = [one.start if column == AT_START else one.idle for one in held]
        return [value for value in values if value is not None]
    return [
        one.memory_bytes.peak
        for one in _measured(trial for trial in kept if peak_under(trial.load) == column)
    ]


def loads(run: RunRecord) -> list[str]:
    """The loads of the trials that count, in the study's order."""
    order = [load.label() for load in run.study.loads]
    return _ordered((trial.load for trial in _good(run)), order)


def _good(run: RunRecord) -> list[TrialRecord]:
    return [
        one for one in without_disqualified(run.trials) if one.status == "ok" and not one.control
    ]


def _measured(trials: Iterable[TrialRecord]) -> list[Measurement]:
    return [trial.measurement for trial in trials if trial.measurement is not None]


def _ordered(names: Iterable[str], order: list[str]) -> list[str]:
    """Each of `names` once: those of `order` as they stand there, the others after them."""
    place = {name: index for index, name in enumerate(order)}
    return sorted(dict.fromkeys(names), key=lambda name: place.get(name, len(order)))


def _span(measured: Iterable[Measurement]) -> str:
    known = sorted({one.threads_peak for one in measured if one.threads_peak})
    if not known:
        return ""
    return str(known[0]) if len(known) == 1 else f"{known[0]} to {known[-1]}"
