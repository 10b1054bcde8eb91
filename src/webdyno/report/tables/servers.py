"""The servers themselves: how much source, how many processes, threads and connections."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.tables import published
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord, TrialRecord


@dataclass(frozen=True)
class ServerRow:
    """One entry: what its manifest states, and what was seen under the sound loads."""

    entry: str
    framework: str
    model: str
    lines: tuple[tuple[str, int], ...]
    """Source lines by scenario."""
    lines_published: str
    """As the write-up counts its own program; empty where it does not."""
    processes: str
    processes_seen: str
    threads: str
    threads_seen: str
    pool: str
    held: tuple[tuple[str, str], ...]
    """What it held after the load, such as database connections: what, how many."""


def rows(run: RunRecord) -> list[ServerRow]:
    """A row for each entry that was tried, in the study's order; the A/A control has none."""
    return [_row(run, entry, trials) for entry, trials in _by_entry(run).items()]


def evenness(run: RunRecord) -> list[str]:
    """One sentence for processes and for each kind of thing held: equal, or what differs."""
    by_entry = _by_entry(run)
    told = [
        _even("Processes under load", by_entry, _processes),
        _even("Threads under load", by_entry, _threads),
    ]
    held = {name: None for trials in by_entry.values() for trial in trials for name in trial.held}
    for name in held:
        title = f"{name[:1].upper()}{name[1:]} after the load"
        told.append(_even(title, by_entry, functools.partial(_held, name=name)))
    return [sentence for sentence in told if sentence]


ServerFigure = Callable[["TrialRecord"], int | None]


def _by_entry(run: RunRecord) -> dict[str, list[TrialRecord]]:
    """The trials that count, sound ones where there are any, by entry in the study's order."""
    published = {load.label() for load in run.study.loads if load.as_published}
    found: dict[str, list[TrialRecord]] = {one.entry: [] for one in run.servers}
    good = [trial for trial in run.trials if trial.status == "ok" and not trial.control]
    for trial in sorted(good, key=lambda trial: trial.index):
        found.setdefault(trial.entry, []).append(trial)
    return {
        entry: [trial for trial in trials if trial.load not in published] or trials
        for entry, trials in found.items()
        if trials
    }


def _row(run: RunRecord, entry: str, trials: list[TrialRecord]) -> ServerRow:
    stated = next((one for one in run.servers if one.entry == entry), None)
    lines = {
        trial.scenario: trial.build.source_lines
        for trial in trials
        if trial.build.source_lines is not None
    }
    return ServerRow(
        entry=entry,
        framework=f"{stated.framework} {stated.framework_version}" if stated else "",
        model=stated.model if stated else "",
        lines=_lines(lines),
        lines_published=_published_lines(run, entry),
        processes=stated.processes if stated else "",
        processes_seen=_span(_processes(trial) for trial in trials),
        threads=stated.threads if stated else "",
        threads_seen=_span(_threads(trial) for trial in trials),
        pool=stated.pool if stated else "",
        held=tuple(
            (name, _span(trial.held.get(name) for trial in trials))
            for name in dict.fromkeys(name for trial in trials for name in trial.held)
        ),
    )


def _published_lines(run: RunRecord, entry: str) -> str:
    manifest = published.manifest(run)
    rows = (row for table in (manifest.tables if manifest else []) for row in table.rows)
    return next(
        (str(row.source_lines) for row in rows if row.server == entry and row.source_lines), ""
    )


def _lines(by_scenario: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Scenarios of the same number of lines go together: a parameter changes no source."""
    together: dict[int, list[str]] = {}
    for scenario, count in sorted(by_scenario.items()):
        together.setdefault(count, []).append(scenario)
    return tuple(
        (listed(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} more", count)
        for count, names in together.items()
    )


def _processes(trial: TrialRecord) -> int | None:
    return trial.measurement.processes_peak if trial.measurement else None


def _held(trial: TrialRecord, name: str) -> int | None:
    return trial.held.get(name)


def _threads(trial: TrialRecord) -> int | None:
    return trial.measurement.threads_peak if trial.measurement else None


def _span(values: Iterable[int | None]) -> str:
    known = sorted({value for value in values if value is not None})
    if not known:
        return ""
    return str(known[0]) if len(known) == 1 else f"{known[0]} to {known[-1]}"


def _even(title: str, by_entry: dict[str, list[TrialRecord]], figure: ServerFigure) -> str:
    """`title: equal, 16 each`, or who differs; the most a server was seen with stands for it."""
    most: dict[int, list[str]] = {}
    for entry, trials in by_entry.items():
        known = [value for trial in trials if (value := figure(trial)) is not None]
        if known:
            most.setdefault(max(known), []).append(entry)
    if not most or sum(map(len, most.values())) < 2:
        return ""
    if len(most) == 1:
        return f"{title}: equal, {next(iter(most))} each."
    parts = "; ".join(f"{count} in {listed(most[count])}" for count in sorted(most))
    return f"{title}: not equal: {parts}."
