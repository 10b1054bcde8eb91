"""The board in a terminal."""

from __future__ import annotations

from rich.console import Console

from webdyno.board.matrix import BoardCell, Matrix
from webdyno.report.layout import KEPT, Column, say, table
from webdyno.report.numbers import counted, with_interval
from webdyno.run.study.named_study import FEW

_CONTRADICTED = (
    "the newest piece contradicts those before it, because the machine changed between them; "
    "`webdyno doctor` shows what disturbs it, and each sitting measures this once more, after all "
    "else"
)


def show(matrix: Matrix, console: Console | None = None) -> None:
    """Print the matrix, and what a reader has to know to believe it."""
    console = console or Console()
    columns = [Column("server", names=True)]
    columns += [Column(heading.scenario) for heading in matrix.headings]
    rows = [
        [row.server, *(_cell_text(row.cells.get(heading.scenario)) for heading in matrix.headings)]
        for row in matrix.rows
    ]
    console.print(table(columns, rows, console.width))
    for line in lines(matrix):
        say(console, line)


def lines(matrix: Matrix) -> list[str]:
    """How to read the matrix, and what is not in it."""
    there = [heading for heading in matrix.headings if heading.reference]
    references = ", ".join(f"{h.reference} in {h.scenario}" for h in there)
    sentences = [
        "place, and throughput as a multiple of the reference's with its "
        f"{matrix.confidence:.0%} interval",
        f"reference: {references}",
    ]
    moments = [cell.measured for row in matrix.rows for cell in row.cells.values() if cell.measured]
    if moments:
        first, last = f"{min(moments):%Y-%m-%d %H:%M}", f"{max(moments):%Y-%m-%d %H:%M}"
        when = first if first == last else f"{first} to {last}"
        sentences.append(
            f"measured {when} (UTC), in pieces; servers that were not in the same piece are "
            "compared through the reference, which is in all of them"
        )
    noted: dict[tuple[str, str], list[str]] = {}
    for row in matrix.rows:
        for scenario, cell in row.cells.items():
            if cell.contradicted:
                noted.setdefault((scenario, _CONTRADICTED), []).append(row.server)
            if cell.kind in ("failed", "unavailable"):
                noted.setdefault((scenario, cell.note), []).append(row.server)
    for (scenario, note), servers in noted.items():
        who = ", ".join(servers) if len(servers) <= FEW else counted(len(servers), "server")
        sentences.append(f"{who} in {scenario}: {note}")
    if pairs := sum(heading.open_pairs for heading in matrix.headings):
        sentences.append(f"{counted(pairs, 'comparison')} not settled yet")
    return sentences


def place(cell: BoardCell) -> str:
    """`2` or `2–4`."""
    return str(cell.first) if cell.first == cell.last else f"{cell.first}–{cell.last}"


def _cell_text(cell: BoardCell | None) -> str:
    if cell is None:
        return "–"
    if cell.kind != "placed":
        return f"({cell.note})" if cell.kind in ("changed", "open") else f"({cell.kind})"
    figures = with_interval(cell.ratio, cell.low, cell.high)
    return f"{place(cell)}{KEPT} {figures.replace(' ', KEPT)}"
