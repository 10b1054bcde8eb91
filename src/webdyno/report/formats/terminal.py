"""The final ranked table, for a terminal of any width or a pipe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from webdyno.report import metrics, summary
from webdyno.report.layout import Column, ends_joined, table
from webdyno.report.numbers import counted, scale_for
from webdyno.report.ranking import AVERAGES, Ranking
from webdyno.report.tables import claims, costs, time_spent, usl
from webdyno.report.text import answer_differences as unlike
from webdyno.report.text import cautions, facts, headline, loads, not_measured, sentences, setup
from webdyno.report.too_few_blocks import too_few_blocks
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.report.section import EntryRow, Section
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
    if question := run.study.question:
        parts.append(Text(question, style="dim"))
    opening = headline.opening(run)
    parts.append(Text(opening.headline, style="bold"))
    parts.extend(Text(text) for text in opening.rest)
    if published := claims.brief(run):
        parts.append(_hanging("published", published))
    for section in summary.sections(run):
        parts.extend(_section(run, section, width))
    parts.append(Text(""))
    if run.trials:
        parts.append(_hanging("figures", AVERAGES))
    parts.extend(_hanging(label, text) for label, text in costs.lines(run))
    parts.extend(_hanging(label, text) for label, text in usl.lines(run))
    parts.extend(_hanging("answers", text) for text in unlike.sentences(run))
    parts.extend(_hanging("caution", text, "yellow") for text in cautions.cautions(run))
    parts.extend(
        _hanging("left out", f"{left.server}: {left.reason}") for left in summary.left_out(run)
    )
    parts.extend(
        _hanging(fact.label, f"{fact.value}  {fact.note}")
        for fact in facts.sureness(run)
        if fact.label in {"A/A control", "Resolution"}
    )
    if spent := time_spent.line(run):
        parts.append(_hanging("time", spent))
    if warmed := time_spent.warm_ups(run):
        parts.append(_hanging("warm-up", warmed))
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
    if section.ranked or section.warming:
        parts.append(_table(section, width))
    if section.few:
        parts.append(_hanging("no ranking", section.few))
    elif section.verdict is not None and not section.by_rate:
        parts.append(_hanging("ranked by", metrics.metric(section.verdict.metric).within))
    for group in section.groups:
        if len(group) > 1 and section.verdict is not None:
            names = [row.entry for row in group]
            words = sentences.tie_words(section.verdict, names)
            parts.append(_hanging("tie", f"{listed(names)} {words}"))
    parts.extend(
        _hanging("not settled", f"{row.entry}: {row.reason}; {row.remedy}", "yellow")
        for row in section.warming
    )
    rate = scale_for("rate", [row.medians.get(section.rate) for row in section.rows])
    for row in section.unranked:
        value = row.medians.get(section.rate)
        figure = f" ({rate.with_unit(value)})" if value else ""
        style = "red" if row.disqualified else "dim"
        parts.append(_hanging("not ranked", f"{row.entry}{figure}: {row.reason}", style))
    parts.extend(
        _hanging("unmeasured", f"{who}: {reason}")
        for who, reason in not_measured.by_reason(section.absent)
    )
    for row in section.rows:
        if row.good < len(row.trials) and row.rank:
            bad = counted(len(row.trials) - row.good, "trial")
            parts.append(_hanging("flag", f"{row.entry}: {bad} of {len(row.trials)} did not count"))
    parts.extend(_hanging("cores", text) for text in setup.one_threaded(run, section))
    parts.extend(_hanging("flag", text) for text in _flagged(section.rows))
    if how := setup.trial_setup(section):
        parts.append(_hanging("setup", how))
    for other in section.others:
        if section.few and too_few_blocks(other):
            continue  # "no ranking" says it of all metrics.
        title_of = metrics.metric(other.metric).within
        parts.append(
            _hanging("also", f"by {title_of}: {sentences.sentence(other, section.verdict)}")
        )
    return parts


def _flagged(rows: Iterable[EntryRow]) -> list[str]:
    """The flags of all rows: one line each, or one for all rows where more than `APART` have it."""
    by_code: dict[str, list[tuple[EntryRow, str, int]]] = {}
    for row in rows:
        for flag, count in row.flags:
            # A reason for which a row is not ranked stands beside it, whole.
            if not row.control and flag.message not in row.reason:
                by_code.setdefault(flag.code, []).append((row, flag.message, count))
    lines = []
    for flagged_rows in by_code.values():
        first, message, _ = flagged_rows[0]
        if len(flagged_rows) <= APART:
            lines += [
                f"{row.entry}: {message} ({count} of {len(row.trials)})"
                for row, message, count in flagged_rows
            ]
        else:
            # The messages differ in their figures only.
            flagged = sum(count for _, _, count in flagged_rows)
            trials = sum(len(row.trials) for row, _, _ in flagged_rows)
            others = counted(len(flagged_rows) - 1, "other")
            lines.append(f"{first.entry}: {message}; likewise {others} ({flagged} of {trials})")
    return lines


def _table(section: Section, width: int) -> RenderableType:
    wide = width >= WIDE
    rows = section.ranked + section.warming
    ranking = Ranking.of(section, rows)
    columns = [Column("#"), Column("server", names=True)]
    columns += [
        Column(ranking.heading(column, "terminal"), right="terminal" not in column.left)
        for column in ranking.columns("terminal", wide=wide)
    ]
    return table(
        columns,
        [
            [
                f"{row.place}{'=' if row.tied else ''}",
                row.entry,
                *map(ends_joined, ranking.texts(row, "terminal", wide=wide)),
            ]
            for row in rows
        ],
        width,
        gap=2 if wide else 1,
        rule=True,
        styles=["bold" if row.rank == 1 else "" for row in rows],
    )  # fmt: skip


def _hanging(label: str, text: str, style: str = "dim") -> RenderableType:
    """A labelled line that keeps its indent where it wraps."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=11, no_wrap=True)
    # fold: a path longer than the line must stay whole for whoever copies it.
    grid.add_column(overflow="fold")
    grid.add_row(Text(label, style=style), Text(text))
    return Padding(grid, 0)
