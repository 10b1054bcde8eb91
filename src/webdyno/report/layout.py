"""Tables for a terminal that fit its width and break no word.

Cells are broken at spaces, and names (`kotlin/spring-boot@jdk-25`) also behind `/` and `-` and
before `@`. Where even that is too wide, each row becomes a paragraph of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.text import Text

KEPT = "\N{NO-BREAK SPACE}"
"""Joins what must stay on one line, such as the two ends of an interval; printed as a space."""

NAME = 22
"""Characters of a name that come before the comfort of other columns."""

CellText = str | Text
"""Text, or text in a style."""


@dataclass(frozen=True)
class Column:
    """A column: its heading, whether it is a figure (then on the right), whether it holds names,
    and whether its cells stay whole, as names that are copied do."""

    title: str
    right: bool = False
    names: bool = False
    whole: bool = False


def table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[CellText]],
    width: int,
    *,
    gap: int = 2,
    rule: bool = False,
    styles: Sequence[str] = (),
) -> RenderableType:
    """`rows` below the columns' headings, no wider than `width`; `gap` spaces between columns.

    `rule` draws a line below the headings; `styles` has a style for each row.
    """
    cells = [[broken(cell, column) for cell, column in zip(row, columns, strict=True)]
             for row in rows]  # fmt: skip
    heads = [broken(column.title, column) for column in columns]
    widths = _widths([heads, *cells], [column.names for column in columns], width, gap)
    if widths is None:
        return Group(*(_paragraph(columns, row, width) for row in rows))
    lines: list[Text] = []
    if any(column.title for column in columns):
        lines += _lines([Text(column.title) for column in columns], heads, columns, widths, gap)
        lines = [Text(line.plain, style="bold") for line in lines]
        if rule:
            lines.append(Text("─" * (sum(widths) + gap * (len(widths) - 1))))
    for place, (row, parts) in enumerate(zip(rows, cells, strict=True)):
        for line in _lines(_texts(row), parts, columns, widths, gap):
            line.style = styles[place] if styles else ""
            lines.append(line)
    for line in lines:
        line.no_wrap = True
    return Group(*lines)


def say(console: Console, text: CellText, style: str = "") -> None:
    """Print a sentence: wrapped between words on a terminal, and as one line in a pipe or a log,
    which are searched rather than looked at. `style` is for text that has none of its own."""
    said = Text(text, style=style) if isinstance(text, str) else text
    console.print(said, soft_wrap=not console.is_terminal)


def say_doubt(console: Console, text: str) -> None:
    """Print what casts doubt on what is shown beside it, behind a mark."""
    say(console, Text.assemble(("!", "yellow"), f" {text}"))


def ends_joined(text: str) -> str:
    """`text`, with the two ends of an interval in it on one line."""
    return text.replace(", ", f",{KEPT}")


def wrapped(parts: Sequence[str], width: int) -> list[str]:
    """Lines of `width` characters of `parts`, none of which is broken."""
    lines = [""]
    for part in parts:
        if lines[-1] and cell_len((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return [line.rstrip().replace(KEPT, " ") for line in lines]


def _texts(row: Sequence[CellText]) -> list[Text]:
    return [cell if isinstance(cell, Text) else Text(cell) for cell in row]


def broken(cell: CellText, column: Column) -> list[str]:
    """The parts that a cell may be broken into."""
    text = cell.plain if isinstance(cell, Text) else cell
    if column.whole:
        return [text] if text else []
    pattern = r"@?[^/@ -]+[/ -]*|[/@ -]+" if column.names else r"[^ ]+ *| +"
    return re.findall(pattern, text)


def _widths(
    rows: Sequence[Sequence[list[str]]], names: Sequence[bool], width: int, gap: int
) -> list[int] | None:
    """The width of each column; None where even the longest words do not fit side by side."""
    places = range(len(rows[0]))
    least = [max(_longest(row[place]) for row in rows) for place in places]
    whole = [max(cell_len("".join(row[place]).rstrip()) for row in rows) for place in places]
    room = width - gap * (len(least) - 1) - sum(least)
    if room < 0:
        return None
    widths = list(least)
    # Names are what readers look for: they stay whole where they can. Then a character at a time
    # goes to the column that has the smallest part of what it wants.
    for place in (place for place in places if names[place]):
        more = min(room, max(0, min(whole[place], NAME) - least[place]))
        widths[place] += more
        room -= more
    while room and any(have < want for have, want in zip(widths, whole, strict=True)):
        wanting = [place for place in places if widths[place] < whole[place]]
        widths[min(wanting, key=lambda place: widths[place] / whole[place])] += 1
        room -= 1
    return widths


def _longest(parts: list[str]) -> int:
    return max((cell_len(part.rstrip()) for part in parts), default=0)


def _lines(
    row: Sequence[Text],
    parts: Sequence[list[str]],
    columns: Sequence[Column],
    widths: Sequence[int],
    gap: int,
) -> list[Text]:
    """One row as lines of all its columns."""
    cells = [wrapped(part, width) for part, width in zip(parts, widths, strict=True)]
    found = []
    for pieces in zip_longest(*cells, fillvalue=""):
        line = Text()
        for place, (piece, text) in enumerate(zip(pieces, row, strict=True)):
            pad = " " * (widths[place] - cell_len(piece))
            line.append(" " * gap if place else "")
            line.append(pad if columns[place].right else "")
            line.append(piece, style=text.style)
            line.append("" if columns[place].right else pad)
        line.rstrip()
        found.append(line)
    return found


def _paragraph(columns: Sequence[Column], row: Sequence[CellText], width: int) -> Text:
    """The row as text: its first cell, then each figure with its heading, indented."""
    first, *others = [text.plain.replace(KEPT, " ") for text in _texts(row)]
    said = [
        f"{column.title} {text}".strip()
        for column, text in zip(columns[1:], others, strict=True)
        if text
    ]
    parts = re.findall(r"[^ ]+ *", ", ".join(said))
    # Alone on its line a name may still be too long to stay whole.
    heads = wrapped(broken(first, replace(columns[0], whole=False)), width)
    return Text("\n".join([*heads, *(f"  {line}" for line in wrapped(parts, width - 2))]))
