"""The answer on a terminal of 80 columns."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from webdyno.ab.conclusion.answer import ComparisonAnswer
from webdyno.ab.conclusion.claims import GUARD, Claim
from webdyno.ab.conclusion.words import signed
from webdyno.catalog.terms.metric import METRICS
from webdyno.report.layout import say
from webdyno.report.numbers import scale_for

WORDS = {
    "worse": "slower",
    "better": "faster",
    "same": "no difference",
    "open": "not settled",
    "unmeasured": "not compared",
}
_STYLES = {"worse": "bold red", "better": "green"}


def show(answer: ComparisonAnswer, report: str = "", console: Console | None = None) -> None:
    """Print the answer, what stands beside it, and where the rest is."""
    console = console or Console()
    about = answer.about
    console.print()
    for letter, name in zip("AB", about.names, strict=True):
        say(console, f"{letter}  {name}", "dim")
    for line in answer.first:
        say(console, line, "yellow")
    say(console, answer.headline, _STYLES.get(answer.outcome, "bold"))
    if rows := rows_of(answer):
        console.print()
        console.print(_table(rows))
    for note in answer.notes:
        say(console, f"- {note}", "yellow")
    say(console, about.evidence, "dim")
    if about.run:
        where = f"run {about.run}" + (f", report {report}" if report else "")
        console.print(Text(where, style="dim"), soft_wrap=True)


def rows_of(answer: ComparisonAnswer) -> list[tuple[str, str, str, str, str]]:
    """Name, A, B, difference and word of every claim, then of what stands beside."""
    rows = [
        (
            one.name_at(answer.about.rate),
            *_both(METRICS[one.metric].kind, one.a, one.b),
            signed(one),
            word_of(one),
        )
        for one in answer.claims
        if one.blocks
    ]
    rows += [(one.name, *_both(one.kind, one.a, one.b), "", "") for one in answer.secondary_figures]
    return rows


def word_of(claim: Claim) -> str:
    """How a claim ended; a guard that says nothing is silent."""
    if claim.outcome == "open" and claim.metric == GUARD:
        return ""
    return WORDS[claim.outcome]


def _both(kind: str, a: float | None, b: float | None) -> tuple[str, str]:
    scale = scale_for(kind, [a, b])
    return (
        scale.with_unit(a) if a is not None else "–",
        scale.with_unit(b) if b is not None else "–",
    )


def _table(rows: list[tuple[str, str, str, str, str]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", overflow="fold")
    for title in ("A", "B", "difference"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table
