"""Trials that a load tool made, in that tool's own table, with the published lines below ours.

What the tool itself printed is shown, rounded as it rounds; nothing is computed from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webdyno.catalog.loads.abilities import GENERATORS, OwnTable
from webdyno.report import summary
from webdyno.report.numbers import MISSING
from webdyno.report.tables import published
from webdyno.store.disqualification import without_disqualified

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webdyno.catalog.studies.published_table import PublishedRow
    from webdyno.store.records import RunRecord, TrialRecord

Cells = tuple[str, ...]


@dataclass(frozen=True)
class ToolTable:
    """`rows` are a label and a cell for each of `headings`, ours first, then the published."""

    tool: str
    title: str
    headings: Cells
    rows: tuple[tuple[str, Cells], ...]


def own_tables() -> dict[str, OwnTable]:
    """The tables of the generators that have one of their own, by the tool's name."""
    found = {name: one.abilities.own_table for name, one in GENERATORS.all().items()}
    return {name: table for name, table in found.items() if table is not None}


def tables(run: RunRecord) -> list[ToolTable]:
    """A table for each scenario and load that one of the tools made, in order of appearance."""
    known = own_tables()
    made_by = {load.label(): load.generator for load in run.study.loads}
    found: dict[tuple[str, str, str], list[TrialRecord]] = {}
    for trial in sorted(without_disqualified(run.trials), key=lambda trial: trial.index):
        tool = made_by.get(trial.load, "") if _own(trial) else ""
        if tool in known:
            found.setdefault((tool, trial.scenario, trial.load), []).append(trial)
    return [
        ToolTable(
            tool=tool,
            title=summary.scope(run, scenario, load),
            headings=one.headings,
            rows=(
                *((trial.entry, _shown(one.cells(_own(trial)))) for trial in trials),
                *_published(run, tool, one, scenario),
            ),
        )
        for (tool, scenario, load), trials in found.items()
        for one in [known[tool]]
    ]


def text(run: RunRecord, tool: str) -> str:
    """The tables of `tool` as Markdown."""
    parts = []
    for one in tables(run):
        if one.tool == tool:
            lines = [
                f"| Server | {' | '.join(one.headings)} |",
                f"|---|{'--:|' * len(one.headings)}",
                *(f"| {label} | {' | '.join(cells)} |" for label, cells in one.rows),
            ]
            parts.append("\n".join([one.title, "", *lines, ""]))
    return "\n".join(parts) if parts else f"no trial of {tool} was measured\n"


def _own(trial: TrialRecord) -> dict[str, Any]:
    held = trial.measurement.generator.table if trial.measurement else None
    return held if isinstance(held, dict) else {}


def _published(
    run: RunRecord, tool: str, own: OwnTable, scenario: str
) -> Iterator[tuple[str, Cells]]:
    manifest = published.manifest(run)
    for table in manifest.tables if manifest else []:
        if table.scenario == scenario and table.load.tool == tool:
            for row in table.rows:
                yield (
                    f"{row.server or row.label or 'no name'} (published)",
                    _shown(_as_printed(row, own)),
                )


def _as_printed(row: PublishedRow, own: OwnTable) -> tuple[str | None, ...]:
    values = [getattr(row, key) for key in own.published]
    return tuple(None if value is None else str(value) for value in values)


def _shown(cells: tuple[str | None, ...]) -> Cells:
    return tuple(MISSING if cell is None else cell for cell in cells)
