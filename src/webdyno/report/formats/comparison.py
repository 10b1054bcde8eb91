"""Two runs compared, for a terminal and in Markdown; `compare_document` and `junit` have the other
formats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from rich.console import Console, RenderableType
from rich.text import Text

from webdyno.catalog.terms.metric import METRICS
from webdyno.printable import markdown_cell
from webdyno.report import metrics
from webdyno.report.layout import Column, ends_joined, say, table
from webdyno.report.numbers import (
    Scale,
    counted,
    duration,
    percent,
    scale_for,
    with_interval,
)
from webdyno.report.text.planned import budget_option, whole_minutes
from webdyno.run.budget.afterwards import needed_s
from webdyno.verdict.comparison.unpaired import ChangeOutcome

if TYPE_CHECKING:
    from webdyno.run.comparison.broken import NotCompared
    from webdyno.run.comparison.compare import ComparedRow, Comparison

RowOutcome = ChangeOutcome | Literal["regression", "not settled", "too few trials"]


def headline(found: Comparison) -> str:
    """One sentence: what became worse or was not reached, or that nothing did."""
    said = []
    if found.broken:
        verb = "works" if len(found.broken) == 1 else "work"
        said.append(f"{listed_places(found.broken)} no longer {verb}")
    if worse := found.regressions:
        said.append(f"worse by more than {percent(found.margin)}: {_named(worse)}")
    late = _not_reached(found)
    if not said and found.says_something:
        late.append(_no_regression(found))
    if said or late:
        return "; ".join([*said, *late]) + "."
    return f"nothing was compared: {_why_nothing(found)}."


def _no_regression(found: Comparison) -> str:
    unsure = _inconclusive(found)
    told = f"no regression beyond {percent(found.margin)} in {counted(len(found.rows), 'figure')}"
    told += f", {unsure} of them inconclusive" if unsure else ""
    if worse := _worse(found):
        told += f"; worse, but perhaps by less: {_named(worse)}"
    return told


def _not_reached(found: Comparison) -> list[str]:
    """Whom the newer run did not reach, and the budget that it needs."""
    if not found.not_reached:
        return []
    verb = "was" if len(found.not_reached) == 1 else "were"
    ended = "the time budget" if found.new.status == "finished" else "the run"
    said = f"{listed_places(found.not_reached)} {verb} not reached before {ended} ended"
    plan = found.new.plan
    if plan is None:
        return [f"{said}; give a longer --budget"]
    # A tenth more, since a budget that is only just enough may not be.
    seconds = 1.1 * max(needed_s(found.new), plan.all_s, plan.budget_s)
    takes = duration(whole_minutes(seconds))
    return [f"{said}; everything takes about {takes} (--budget {budget_option(seconds)})"]


def _why_nothing(found: Comparison) -> str:
    """Why no figure had enough trials in both runs."""
    if found.rows:
        return f"too few trials in {counted(len(found.rows), 'figure')}"
    if not found.refused:
        return "no server was measured in both"
    first, *others = found.refused
    more = f", and {len(others)} more below" if others else ""
    return f"{listed_places([first])}: {first.reason}{more}"


def _named(rows: Sequence[ComparedRow]) -> str:
    names = ", ".join(f"{row.entry} ({row.scenario})" for row in rows[:3])
    return names + (f" and {len(rows) - 3} more" if len(rows) > 3 else "")


def _worse(found: Comparison) -> list[ComparedRow]:
    """What became worse for certain, but not by more than the margin for certain."""
    return [
        row
        for row in found.rows
        if row.change is not None
        and not row.unsure
        and row.change.outcome == "worse"
        and not row.change.regression
    ]


def _inconclusive(found: Comparison) -> int:
    """How many figures may be a regression beyond the margin for all that is known."""
    least = 1 / (1 + found.margin)
    return sum(row.change is None or bool(row.unsure) or row.change.low < least
               for row in found.rows)  # fmt: skip


def listed_places(places: list[NotCompared]) -> str:
    """Entries with their scenarios."""
    return ", ".join(f"{place.entry} ({place.scenario})" for place in places)


def outcome(row: ComparedRow) -> RowOutcome:
    """The row's outcome in words."""
    if row.change is None:
        return "too few trials"
    if row.unsure:
        return "not settled"
    return "regression" if row.change.regression else row.change.outcome


def told_of(row: ComparedRow) -> str:
    """The outcome, with what has to be known of it in brackets."""
    notes = ", ".join(filter(None, (row.note, row.unsure)))
    return outcome(row) + (f" ({notes})" if notes else "")


def figure(row: ComparedRow) -> str:
    """`0.87x [0.84, 0.90]`; a dash where nothing is known."""
    if row.change is None:
        return "–"
    return with_interval(row.change.estimate, row.change.low, row.change.high)


def notes(found: Comparison) -> list[str]:
    """What has to be known beside the table, a line each."""
    return [
        *(f"caution: {text}" for text in found.cautions),
        *(f"not compared: {_where(place)}: {place.reason}" for place in found.refused),
        f"A ratio above 1 means that the newer run is better. All intervals hold jointly at "
        f"{percent(found.confidence)} confidence. Old and new are medians; ratios rest on "
        "geometric means.",
    ]


def show(found: Comparison, console: Console | None = None) -> None:
    """Print the comparison."""
    console = console or Console()
    say(console, f"{found.old.id} → {found.new.id}: {headline(found)}")
    for of, rows in _groups(found.rows).items():
        console.print(Text("\n" + "  ".join(of), style="bold"))
        console.print(_table(found, rows, console.width))
    if found.rows:
        console.print()
    for line in notes(found):
        say(console, line)


def _groups(rows: Sequence[ComparedRow]) -> dict[tuple[str, str, str], list[ComparedRow]]:
    """The rows by scenario, load and metric, the best of the newer run first."""
    found: dict[tuple[str, str, str], list[ComparedRow]] = {}
    for row in rows:
        of = row.scenario, row.load, metrics.metric(row.metric).title
        found.setdefault(of, []).append(row)
    for group in found.values():
        better = -1.0 if METRICS[group[0].metric].higher_is_better else 1.0
        group.sort(key=lambda row: better * row.new if math.isfinite(row.new) else math.inf)
    return found


def _scale(rows: Sequence[ComparedRow]) -> Scale:
    """How the figures of `rows`, all of one metric, are shown."""
    kind = metrics.metric(rows[0].metric).kind
    return scale_for(kind, (value for row in rows for value in (row.old, row.new)))


def _table(found: Comparison, rows: Sequence[ComparedRow], width: int) -> RenderableType:
    scale = _scale(rows)
    columns = [
        Column("server", names=True),
        Column("old" + (f" ({scale.unit})" if scale.unit else ""), right=True),
        Column("new", right=True),
        Column("ratio", right=True),
        Column("outcome"),
    ]
    cells = [
        [
            row.entry,
            scale.text(row.old),
            scale.text(row.new),
            ends_joined(figure(row)),
            told_of(row),
        ]
        for row in rows
    ]
    styles = ["bold red" if row in found.regressions else "" for row in rows]
    return table(columns, cells, width, styles=styles)


def markdown(found: Comparison) -> str:
    """The comparison for a pull request."""
    bad = bool(found.regressions or found.broken)
    # What may have become worse was not shown to be no worse.
    shown = found.says_something and not _inconclusive(found) and not found.not_reached
    mark = "❌" if bad else "✅" if shown else "❔"
    lines = [
        f"### {mark} Webdyno: {markdown_cell(headline(found))}",
        "",
        f"`{found.old.id}` → `{found.new.id}`, margin {percent(found.margin)}",
        "",
    ]
    if found.rows:
        lines += ["| server | scenario | load | metric | old | new | ratio | outcome |"]
        lines += ["|---|---|---|---|---:|---:|---:|---|"]
        for row in found.rows:
            *cells, last = map(markdown_cell, (
                row.entry, row.scenario, row.load, metrics.metric(row.metric).title,
                *map(_scale([row]).with_unit, (row.old, row.new)), figure(row), told_of(row),
            ))  # fmt: skip
            said = outcome(row)
            bold = f"**{said}**" if row in found.regressions else said
            lines.append(f"| {' | '.join([*cells, bold + last.removeprefix(said)])} |")
        lines.append("")
    lines += [f"- {markdown_cell(line)}" for line in notes(found)]
    return "\n".join(lines) + "\n"


def _where(place: NotCompared) -> str:
    return f"{place.entry}, {place.scenario}, {place.load}"
