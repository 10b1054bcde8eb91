"""Trials that a load tool made, in that tool's own table, with the published lines below ours.

What the tool itself printed is shown, rounded as it rounds; nothing is computed from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webdyno.report import published, summary
from webdyno.report.numbers import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webdyno.catalog.published import PublishedRow
    from webdyno.store.records import RunRecord, TrialRecord

Cells = tuple[str, ...]

_FIGURES = ("avg", "stdev", "max")
HEADINGS: dict[str, Cells] = {
    "wrk": (
        *(f"Latency {name}" for name in (*_FIGURES, "+/- stdev")),
        *(f"Req/Sec of a thread {name}" for name in (*_FIGURES, "+/- stdev")),
        *("Requests", "in", "Read", "Timeouts", "Requests/sec", "Transfer/sec"),
    ),
    "autocannon": tuple(
        f"{what} {name}" for what in ("Latency (ms)", "Req/Sec", "Bytes/Sec") for name in _FIGURES
    ),
}
"""Columns of each tool whose own table is kept."""


@dataclass(frozen=True)
class ToolTable:
    """`rows` are a label and a cell for each of `headings`, ours first, then the published."""

    tool: str
    title: str
    headings: Cells
    rows: tuple[tuple[str, Cells], ...]


def tables(run: RunRecord) -> list[ToolTable]:
    """A table for each scenario and load that one of the tools made, in order of appearance."""
    made_by = {load.get("name"): load.get("generator") for load in run.study.get("loads", [])}
    found: dict[tuple[str, str, str], list[TrialRecord]] = {}
    for trial in sorted(run.trials, key=lambda trial: trial.index):
        tool = str(made_by.get(trial.load)) if _own(trial) else ""
        if tool in HEADINGS:
            found.setdefault((tool, trial.scenario, trial.load), []).append(trial)
    return [
        ToolTable(
            tool=tool,
            title=summary.scope(run, scenario, load),
            headings=HEADINGS[tool],
            rows=(
                *((trial.entry, _OURS[tool](_own(trial))) for trial in trials),
                *_published(run, tool, scenario),
            ),
        )
        for (tool, scenario, load), trials in found.items()
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
    held = trial.measurement.generator.get("table") if trial.measurement else None
    return held if isinstance(held, dict) else {}


def _wrk(table: dict[str, Any]) -> Cells:
    def line(name: str, length: int) -> list[str]:
        found = table.get(name)
        return [str(cell) for cell in found] if found else [MISSING] * length

    late = line("timeouts", 1)
    return tuple(
        line("latency", 4) + line("thread_rate", 4) + line("total", 3) + late
        + line("rate", 1) + line("transfer", 1)
    )  # fmt: skip


def _autocannon(table: dict[str, Any]) -> Cells:
    return tuple(
        f"{table[row][figure]:g}" if figure in table.get(row, {}) else MISSING
        for row in ("latency_ms", "requests_per_s", "bytes_per_s")
        for figure in ("average", "stddev", "max")
    )


_OURS: dict[str, Callable[[dict[str, Any]], Cells]] = {"wrk": _wrk, "autocannon": _autocannon}
_PRINTED: dict[str, Cells] = {
    "wrk": (
        *("mean", "sd", "max", "within_sd"),
        *("thread_rate", "thread_rate_sd", "thread_rate_max", "thread_rate_within_sd"),
        *("samples", "duration", "read", "timeouts", "throughput", "bytes_per_s"),
    ),
    "autocannon": (
        *("mean", "sd", "max"),
        *("throughput", "throughput_sd", "throughput_max"),
        *("bytes_per_s", "bytes_sd", "bytes_max"),
    ),
}


def _published(run: RunRecord, tool: str, scenario: str) -> Iterator[tuple[str, Cells]]:
    manifest = published.manifest(run)
    for table in manifest.tables if manifest else []:
        if table.scenario == scenario and table.load.tool == tool:
            for row in table.rows:
                yield f"{row.server or row.label or 'no name'} (published)", _as_printed(row, tool)


def _as_printed(row: PublishedRow, tool: str) -> Cells:
    values = [getattr(row, key) for key in _PRINTED[tool]]
    return tuple(MISSING if value is None else str(value) for value in values)
