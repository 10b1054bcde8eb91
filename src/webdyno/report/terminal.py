"""The final ranked table, for a terminal of any width or a pipe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from webdyno.report import (
    answer,
    costs,
    facts,
    limits,
    loads,
    metrics,
    scaling,
    summary,
    time_spent,
    unlike,
)
from webdyno.report.numbers import MISSING, counted, listed, scale_for

if TYPE_CHECKING:
    from webdyno.report.summary import Row, Section
    from webdyno.store.records import RunRecord

WIDE = 118
"""From this many columns on, the table also shows absolute intervals and the median latency."""

APART = 2
"""No more servers than this are named each in a line of its own for the same doubt."""


def show(run: RunRecord, console: Console | None = None, *, report: str = "") -> None:
    """Print the answer and the ranked tables of `run`. `report` is where the HTML report is."""
    console = console or Console()
    console.print(render(run, console.width, report=report))


def render(run: RunRecord, width: int = 80, *, report: str = "") -> RenderableType:
    """What `show` prints, for a console of `width` columns."""
    parts: list[RenderableType] = [Text("")]
    if run.study.get("question"):
        parts.append(Text(run.study["question"], style="dim"))
    said = answer.answer(run)
    parts.append(Text(said.headline, style="bold"))
    for section in summary.sections(run):
        parts.extend(_section(run, section, width))
    parts.append(Text(""))
    parts.extend(_hanging(label, text) for label, text in costs.lines(run))
    parts.extend(_hanging(label, text) for label, text in scaling.lines(run))
    parts.extend(_hanging("unlike", text) for text in unlike.sentences(run))
    parts.extend(_hanging("caution", text, "yellow") for text in answer.cautions(run))
    parts.extend(_hanging("left out", f"{left.server}: {left.reason}") for left in run.skipped)
    parts.extend(
        _hanging(fact.label, f"{fact.value}  {fact.note}")
        for fact in facts.sureness(run)
        if fact.label in {"A/A control", "Resolution"}
    )
    if spent := time_spent.line(run):
        parts.append(_hanging("time", spent))
    parts.append(_hanging("run", f"{run.id}: {facts.summary_line(run)}"))
    if report:
        parts.append(_hanging("report", report, "cyan"))
    return Group(*parts)


def _section(run: RunRecord, section: Section, width: int) -> list[RenderableType]:
    title = Text(f"\n{summary.scope(run, section.scenario, section.load)}", style="bold")
    load = loads.brief(run, section.scenario, section.load)
    if load:
        title.append(f"  {load}", style="not bold dim")
    parts: list[RenderableType] = [title]
    if section.ranked:
        parts.append(_table(section, width))
    if section.verdict is not None and not section.by_rate:
        parts.append(_hanging("ranked by", metrics.metric(section.verdict.metric).title.lower()))
    for group in section.groups:
        if len(group) > 1 and section.verdict is not None:
            names = [row.entry for row in group]
            words = answer.tie_words(section.verdict, names)
            parts.append(_hanging("tie", f"{listed(names)} {words}"))
    rate = scale_for("rate", [row.medians.get(section.rate) for row in section.rows])
    for row in section.unranked:
        value = row.medians.get(section.rate)
        figure = f" ({rate.with_unit(value)})" if value else ""
        parts.append(_hanging("not ranked", f"{row.entry}{figure}: {row.reason}"))
    for row in section.rows:
        if row.good < len(row.trials) and row.rank:
            bad = counted(len(row.trials) - row.good, "trial")
            parts.append(
                _hanging("doubt", f"{row.entry}: {bad} of {len(row.trials)} did not count")
            )
    parts.extend(_hanging("doubt", text) for text in _flagged(section.rows))
    for other in section.others:
        title_of = metrics.metric(other.metric).title.lower()
        parts.append(_hanging("also", f"by {title_of}: {answer.sentence(other)}"))
    return parts


def _flagged(rows: Iterable[Row]) -> list[str]:
    """The flags of all rows: one line each, or one for all rows where more than `APART` have it."""
    found: dict[str, list[tuple[Row, str, int]]] = {}
    for row in rows:
        for flag, count in row.flags:
            if not row.control:
                found.setdefault(flag.code, []).append((row, flag.message, count))
    said = []
    for those in found.values():
        first, message, _ = those[0]
        if len(those) <= APART:
            said += [
                f"{row.entry}: {message} ({count} of {len(row.trials)})"
                for row, message, count in those
            ]
        else:
            # The messages differ in their figures only.
            flagged = sum(count for _, _, count in those)
            trials = sum(len(row.trials) for row, _, _ in those)
            others = counted(len(those) - 1, "other")
            said.append(f"{first.entry}: {message}; so with {others} ({flagged} of {trials})")
    return said


def _table(section: Section, width: int) -> Table:
    wide = width >= WIDE
    rows = section.ranked
    rate = scale_for("rate", [row.medians.get(section.rate) for row in rows])
    p50 = scale_for("latency", [row.medians.get("p50_us") for row in rows])
    p99 = scale_for("latency", [row.medians.get("p99_us") for row in rows])
    cpu = scale_for("latency", [row.medians.get("cpu_us_per_request") for row in rows])
    memory = scale_for("bytes", [row.medians.get("memory_peak_bytes") for row in rows])
    table = Table(
        box=box.SIMPLE_HEAD, padding=(0, 1 if wide else 0, 0, 0), pad_edge=False, show_edge=False
    )
    table.add_column("#", no_wrap=True)
    table.add_column("server", overflow="fold", min_width=12)
    table.add_column(rate.unit, justify="right", no_wrap=True)
    if wide:
        table.add_column("interval", justify="right", no_wrap=True)
    table.add_column("first is better by", justify="right", no_wrap=True)
    if wide:
        table.add_column(f"p50 {p50.unit}", justify="right", no_wrap=True)
    table.add_column(f"p99 {p99.unit}", justify="right", no_wrap=True)
    table.add_column(f"CPU {cpu.unit}", justify="right", no_wrap=True)
    table.add_column(memory.unit, justify="right", no_wrap=True)
    table.add_column("limit", overflow="fold")
    for row in rows:
        shown = [f"{row.rank}{'=' if row.tied else ''}", row.entry]
        shown.append(rate.text(row.medians.get(section.rate)))
        if wide:
            known = row.interval if section.by_rate else None
            shown.append(f"{rate.text(known[0])}..{rate.text(known[1])}" if known else "")
        shown.append(row.standing)
        if wide:
            shown.append(p50.text(row.medians.get("p50_us")))
        shown.append(p99.text(row.medians.get("p99_us")))
        shown.append(cpu.text(row.medians.get("cpu_us_per_request")))
        shown.append(memory.text(row.medians.get("memory_peak_bytes")))
        shown.append(limits.word(row.bottleneck) or MISSING)
        # Text, not markup: a name may hold square brackets.
        table.add_row(*(Text(cell) for cell in shown), style="bold" if row.rank == 1 else "")
    return table


def _hanging(label: str, text: str, style: str = "dim") -> RenderableType:
    """A labelled line that keeps its indent where it wraps."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=11, no_wrap=True)
    # fold: a path longer than the line must stay whole for whoever copies it.
    grid.add_column(overflow="fold")
    grid.add_row(Text(label, style=style), Text(text))
    return Padding(grid, 0)
