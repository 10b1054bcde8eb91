"""JMeter's aggregate table of a run's iterations loads, with a published one beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webdyno.errors import UserError
from webdyno.report import summary
from webdyno.report.tables import jmeter as jmeter_table
from webdyno.report.tables import published
from webdyno.report.tables import tools as tool_tables
from webdyno.report.tables.jmeter import HEADINGS, AggregateRow
from webdyno.store.disqualification import without_disqualified

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
    from webdyno.store.records import RunRecord, TrialRecord

JMETER = "jmeter"
"""What its aggregate table is called, which is made of the trials of any generator."""
NOTE = (
    "Accepted answers, from sending to the last byte, in whole milliseconds, truncated; all blocks "
    "pooled. Rows marked (published) are the write-up's."
)


@dataclass(frozen=True)
class AggregateView:
    """One table: `ours` and `theirs` are rows of cells under `HEADINGS`."""

    title: str
    ours: list[tuple[str, ...]]
    theirs: list[tuple[str, ...]]


def views(run: RunRecord, *, all_loads: bool = False) -> list[AggregateView]:
    """A table for each scenario and iterations load, or for every load."""
    study = run.study
    found: dict[tuple[str, str], list[TrialRecord]] = {}
    for trial in without_disqualified(run.trials):
        if all_loads or study.kind_of(trial.load) == "iterations":
            found.setdefault(trial.cell, []).append(trial)
    return [
        AggregateView(
            title=summary.scope(run, scenario, load),
            ours=[row.cells() for row in jmeter_table.table(_in_order(run, trials))],
            # A published table is of iterations: beside another load it would compare nothing.
            theirs=[
                row.cells()
                for row in _published(run, scenario, load)
                if study.kind_of(load) == "iterations"
            ],
        )
        for (scenario, load), trials in found.items()
        if any(trial.measurement is not None for trial in trials)
    ]


def text(run: RunRecord, table: str) -> str:
    """The tables as Markdown. Raises `UserError` where no tool has a table of that name."""
    own = tool_tables.own_tables()
    if table in own:
        return tool_tables.text(run, table)
    if table != JMETER:
        raise UserError(f"--table {table}: unknown; choose from {', '.join([JMETER, *own])}")
    parts = []
    for view in views(run, all_loads=True):
        rows = [HEADINGS, *view.ours, *view.theirs]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
        lines = [
            " | ".join(
                cell.ljust(width) if column == 0 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        bars = [f"| {line} |" for line in lines]
        parts.append("\n".join([view.title, "", bars[0], _rule(widths), *bars[1:], ""]))
    return "\n".join(parts) if parts else "no trial was measured\n"


def _rule(widths: list[int]) -> str:
    first, *others = widths
    return f"|{'-' * (first + 2)}|" + "".join(f"{'-' * (width + 1)}:|" for width in others)


def _in_order(run: RunRecord, trials: list[TrialRecord]) -> list[TrialRecord]:
    """As the study names the servers: blocks have an order of their own."""
    places = {name: place for place, name in enumerate(run.study.servers)}
    return sorted(trials, key=lambda trial: places.get(_name(trial), len(places)))


def _name(trial: TrialRecord) -> str:
    return trial.server if trial.variant == "default" else f"{trial.server}@{trial.variant}"


def _published(run: RunRecord, scenario: str, load: str) -> list[AggregateRow]:
    of_old_runs = [
        _row(figures)
        for figures in run.study.published_aggregate
        if figures["scenario"] == scenario and figures.get("load") in (None, "", load)
    ]
    found = published.manifest(run)
    return of_old_runs + [
        row
        for table in (found.tables if found else [])
        if table.scenario == scenario and table.beside in ("", load)
        for printed in table.rows
        if (row := _printed(table, printed)) is not None
    ]


_TIMES = ("mean", "median", "p90", "p95", "p99", "min", "max")


def _printed(table: PublishedTable, row: PublishedRow) -> AggregateRow | None:
    """A published row that has all columns; None where it has not."""
    times = [table.figure(row, key) for key in _TIMES]
    rest = [table.figure(row, key) for key in ("samples", "error_share", "throughput")]
    received = table.figure(row, "bytes_per_s")
    if received is None or None in times or None in rest:
        return None
    average, median, p90, p95, p99, least, most = (round(t.value * 1e3) for t in times if t)
    samples, error_share, throughput = (one.value for one in rest if one)
    return AggregateRow(
        label=f"{row.server or row.label} (published)",
        samples=round(samples),
        average=average,
        lines=(median, p90, p95, p99),
        least=least,
        most=most,
        error_share=error_share,
        per_second=throughput,
        kb_per_second=received.value / 1024,
    )


def _row(figures: Mapping[str, Any]) -> AggregateRow:
    lines = ("median_ms", "line_90_ms", "line_95_ms", "line_99_ms")
    return AggregateRow(
        label=f"{figures['server']} (published)",
        samples=figures["samples"],
        average=figures["average_ms"],
        lines=tuple(figures[name] for name in lines),
        least=figures["min_ms"],
        most=figures["max_ms"],
        error_share=figures["error_share"],
        per_second=figures["throughput_rps"],
        kb_per_second=figures["kb_per_s"],
    )
