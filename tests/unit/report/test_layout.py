"""Tables of a terminal: no wider than it is, and no word broken."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.text import Text

from webdyno.report.layout import KEPT, Column, table

NAMES = [
    "go/net-http",
    "kotlin/spring-boot-coroutines@virtual-threads-jdk-25",
    "node/express@cluster",
]
COLUMNS = [
    Column("server", names=True),
    Column("req/s", right=True),
    Column("first leads by", right=True),
    Column("what limited it"),
]
ROWS = [
    [name, "123,456", f"12.34x [11.90,{KEPT}12.81]", "one thread of the server was saturated"]
    for name in NAMES
]


def printed(width: int, columns: list[Column] = COLUMNS, rows: list[list[str]] = ROWS) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(table(columns, rows, width))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


@pytest.mark.parametrize("width", [40, 60, 72, 80, 118, 200])
def test_no_line_is_too_long_and_no_word_is_broken(width: int) -> None:
    text = printed(width)
    assert max(map(len, text.splitlines())) <= width
    # Paragraphs put a comma behind each figure.
    broken_at = r"[ /@\-\xa0\n]+"
    words = {word.strip(",") for row in ROWS for cell in row for word in re.split(broken_at, cell)}
    assert words <= {word.strip(",") for word in re.split(broken_at, text)}


@pytest.mark.parametrize("width", [60, 72, 80])
def test_the_ends_of_an_interval_stay_together(width: int) -> None:
    assert printed(width).count("[11.90, 12.81]") == len(ROWS)


def test_a_wide_terminal_has_a_line_for_each_row() -> None:
    lines = printed(200).splitlines()
    assert len(lines) == 1 + len(ROWS)
    assert lines[2].startswith(NAMES[1])


def test_what_cannot_stand_side_by_side_becomes_paragraphs() -> None:
    text = printed(30)
    assert "go/net-http\n  req/s 123,456," in text


def test_figures_stand_on_the_right() -> None:
    lines = printed(40, [Column("a"), Column("n", right=True)], [["x", "1"], ["y", "1,000"]])
    assert lines.splitlines() == ["a      n", "x      1", "y  1,000"]


def test_square_brackets_are_text_and_styles_are_kept() -> None:
    console = Console(file=io.StringIO(), width=40, force_terminal=True, color_system="standard")
    console.print(table([Column("a")], [[Text("[bold]x", style="red")]], 40))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "[bold]x" in text
    assert "\x1b[31m" in text


def test_a_table_without_rows_is_its_headings() -> None:
    assert printed(40, COLUMNS[:1], []).split() == ["server"]


def test_a_name_that_is_whole_takes_the_room_of_others() -> None:
    columns = [Column("server", names=True, whole=True), Column("framework")]
    rows = [[NAMES[1], "Spring Boot WebFlux 4.1.2"], ["go/gin", "Gin"]]
    lines = printed(72, columns, rows).splitlines()
    assert lines[1].startswith(f"{NAMES[1]}  Spring")
    assert max(map(len, lines)) <= 72
    # Where it does not fit, each row is a paragraph, as with a long word.
    assert printed(60, columns, rows).splitlines()[0] == NAMES[1]
    assert max(map(len, printed(40, columns, rows).splitlines())) <= 40
