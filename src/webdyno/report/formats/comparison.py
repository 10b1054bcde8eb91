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
from webdyno.report.numbers import Scale, counted, percent, scale_for, with_interval
from webdyno.report.text.planned import budget_option, whole_minutes
from webdyno.run.budget.afterwards import needed_s
from webdyno.run.comparison.outcome import MARKS
from webdyno.verdict.comparison.unpaired import ChangeOutcome
from webdyno.words import duration

if TYPE_CHECKING:
    from webdyno.run.comparison.broken import NotCompared
    from webdyno.run.comparison.compare import ComparedRow, Comparison

RowOutcome = ChangeOutcome | Literal["regression", "not settled", "too few trials"]


def headline(comparison: Comparison) -> str:
    """One sentence: what became worse or was not reached, or that nothing did."""
    parts = []
    if comparison.broken:
        verb = "works" if len(comparison.broken) == 1 else "work"
        parts.append(f"{listed_places(comparison.broken)} no longer {verb}")
    if worse := comparison.regressions:
        parts.append(f"worse by more than {percent(comparison.margin)}: {_named(worse)}")
    late = _not_reached(comparison)
    if not parts and comparison.says_something:
        late.append(_no_regression(comparison))
    if parts or late:
        return "; ".join([*parts, *late]) + "."
    return f"nothing was compared: {_why_nothing(comparison)}."


def _no_regression(comparison: Comparison) -> str:
    unsettled = sum(not row.settled for row in comparison.rows)
    unsure = _inconclusive(comparison)
    figures = counted(len(comparison.rows), "figure")
    told = f"no regression beyond {percent(comparison.margin)} in {figures}"
    told += f", {unsettled} of them not settled" if unsettled else ""
    told += f", {unsure} of them inconclusive" if unsure else ""
    if worse := _worse(comparison):
        told += f"; worse, but perhaps by less: {_named(worse)}"
    if passed_over := comparison.passed_over:
        told += f"; not compared: {_first_places(passed_over)}"
    if limited := comparison.limited_in_both:
        by = "the load generator or the network, as before"
        told += f"; limited by {by}: {_first_places(limited)}"
    return told


def _first_places(places: list[NotCompared]) -> str:
    return listed_places(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")


def _not_reached(comparison: Comparison) -> list[str]:
    """Whom the newer run did not reach, and the budget that it needs."""
    if not comparison.not_reached:
        return []
    verb = "was" if len(comparison.not_reached) == 1 else "were"
    ended = "the time budget" if comparison.new.status == "finished" else "the run"
    said = f"{listed_places(comparison.not_reached)} {verb} not reached before {ended} ended"
    plan = comparison.new.plan
    if plan is None:
        return [f"{said}; give a longer --budget"]
    # A tenth more, since a budget that is only just enough may not be.
    seconds = 1.1 * max(needed_s(comparison.new), plan.all_s, plan.budget_s)
    takes = duration(whole_minutes(seconds))
    return [f"{said}; everything takes about {takes} (--budget {budget_option(seconds)})"]


def _why_nothing(comparison: Comparison) -> str:
    """Why no figure had enough trials in both runs."""
    if comparison.rows:
        return f"too few trials in {counted(len(comparison.rows), 'figure')}"
    if not comparison.refused:
        return "no server was measured in both"
    first, *others = comparison.refused
    more = f", and {len(others)} more below" if others else ""
    return f"{listed_places([first])}: {first.reason}{more}"


def _named(rows: Sequence[ComparedRow]) -> str:
    names = ", ".join(f"{row.entry} ({row.scenario})" for row in rows[:3])
    return names + (f" and {len(rows) - 3} more" if len(rows) > 3 else "")


def _worse(comparison: Comparison) -> list[ComparedRow]:
    """What became worse for certain, but not by more than the margin for certain."""
    return [
        row
        for row in comparison.rows
        if row.change is not None
        and not row.unsure
        and row.change.outcome == "worse"
        and not row.change.regression
    ]


def _inconclusive(comparison: Comparison) -> int:
    """How many settled figures may be a regression beyond the margin for all that is known."""
    least = 1 / (1 + comparison.margin)
    return sum(
        row.settled and row.change is not None and row.change.low < least for row in comparison.rows
    )


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


def notes(comparison: Comparison) -> list[str]:
    """What has to be known beside the table, a line each."""
    return [
        *(f"caution: {text}" for text in comparison.cautions),
        *(f"not compared: {_where(place)}: {place.reason}" for place in comparison.refused),
        f"A ratio above 1 means that the newer run is better. All intervals hold jointly at "
        f"{percent(comparison.confidence)} confidence. Old and new are medians; ratios rest on "
        "geometric means.",
    ]


def show(comparison: Comparison, console: Console | None = None) -> None:
    """Print the comparison."""
    console = console or Console()
    say(console, f"{comparison.old.id} → {comparison.new.id}: {headline(comparison)}")
    for of, rows in _groups(comparison.rows).items():
        console.print(Text("\n" + "  ".join(of), style="bold"))
        console.print(_table(comparison, rows, console.width))
    if comparison.rows:
        console.print()
    for line in notes(comparison):
        say(console, line)


def _groups(rows: Sequence[ComparedRow]) -> dict[tuple[str, str, str], list[ComparedRow]]:
    """The rows by scenario, load and metric, the best of the newer run first."""
    groups: dict[tuple[str, str, str], list[ComparedRow]] = {}
    for row in rows:
        of = row.scenario, row.load, metrics.metric(row.metric).title
        groups.setdefault(of, []).append(row)
    for group in groups.values():
        better = -1.0 if METRICS[group[0].metric].higher_is_better else 1.0
        group.sort(key=lambda row: better * row.new if math.isfinite(row.new) else math.inf)
    return groups


def _scale(rows: Sequence[ComparedRow]) -> Scale:
    """How the figures of `rows`, all of one metric, are shown."""
    kind = metrics.metric(rows[0].metric).kind
    return scale_for(kind, (value for row in rows for value in (row.old, row.new)))


def _table(comparison: Comparison, rows: Sequence[ComparedRow], width: int) -> RenderableType:
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
    styles = ["bold red" if row in comparison.regressions else "" for row in rows]
    return table(columns, cells, width, styles=styles)


def markdown(comparison: Comparison) -> str:
    """The comparison for a pull request."""
    mark = MARKS[comparison.outcome]
    if comparison.outcome == "no worse" and _inconclusive(comparison):
        mark = "⚠️"  # What may have become worse was not shown to be no worse.
    lines = [
        f"### {mark} Webdyno: {markdown_cell(headline(comparison))}",
        "",
        f"`{comparison.old.id}` → `{comparison.new.id}`, margin {percent(comparison.margin)}",
        "",
    ]
    if comparison.rows:
        lines += ["| server | scenario | load | metric | old | new | ratio | outcome |"]
        lines += ["|---|---|---|---|---:|---:|---:|---|"]
        for row in comparison.rows:
            *cells, last = map(markdown_cell, (
                row.entry, row.scenario, row.load, metrics.metric(row.metric).title,
                *map(_scale([row]).with_unit, (row.old, row.new)), figure(row), told_of(row),
            ))  # fmt: skip
            word = outcome(row)
            bold = f"**{word}**" if row in comparison.regressions else word
            lines.append(f"| {' | '.join([*cells, bold + last.removeprefix(word)])} |")
        lines.append("")
    lines += [f"- {markdown_cell(line)}" for line in notes(comparison)]
    return "\n".join(lines) + "\n"


def _where(place: NotCompared) -> str:
    return f"{place.entry}, {place.scenario}, {place.load}"
