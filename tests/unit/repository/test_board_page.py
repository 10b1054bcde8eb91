"""The page about the board shows what is kept of the measured one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.docs_script import docs_script

ROOT = Path(__file__).resolve().parents[3]
PLACED = {
    "kind": "placed", "note": "", "first": 1, "last": 2, "of": 3, "ratio": 1.5, "low": 1.4,
    "high": 1.6, "median": 12345.6, "contradicted": False, "measured": "2026-11-24T10:00:00+00:00",
    "pieces": 1, "run": "r",
}  # fmt: skip
OPEN = {**PLACED, "kind": "open", "measured": None}


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return docs_script("board_page")


def test_the_page_is_that_of_the_measured_cells(script: dict[str, Any]) -> None:
    board = json.loads((ROOT / "docs" / "board.json").read_text(encoding="utf-8"))
    told = (ROOT / "docs" / "board.md").read_text(encoding="utf-8")
    assert told == script["page"](told, board), "run `.webdyno/venv/bin/python docs/board_page.py`"
    for row in board["rows"]:
        assert f"| `{row['server']}` |" in told


def test_only_cells_that_have_a_place_are_kept(script: dict[str, Any]) -> None:
    headings = [
        {"scenario": name, "reference": "go/gin", "services": [], "open_pairs": 2}
        for name in ("json", "hello")
    ]
    matrix = {
        "headings": headings,
        "rows": [
            {"server": "go/gin", "cells": {"json": PLACED, "hello": OPEN}},
            {"server": "go/chi", "cells": {"json": OPEN}},
        ],
    }
    board = {**script["kept"](matrix), "machine": "a machine"}
    assert [each["scenario"] for each in board["headings"]] == ["json"]
    assert board["rows"] == [{"server": "go/gin", "cells": {"json": PLACED}}]
    said = script["section"](board)
    assert "| `go/gin` | 1–2 | 1.50x [1.40, 1.60] | 12,300 |" in said
    assert "Pairs not settled yet: 2." in said


def test_the_matrix_has_a_column_for_each_scenario_and_says_why_a_server_is_not_ranked(
    script: dict[str, Any],
) -> None:
    failed = {**OPEN, "kind": "failed", "note": "it sends <b>"}
    unavailable = {**OPEN, "kind": "unavailable", "note": "go is not installed"}
    contradicted = {**PLACED, "first": 2, "contradicted": True}
    headings = [
        {"scenario": name, "reference": "go/gin", "services": services, "open_pairs": 2}
        for name, services in (("hello", []), ("json", []), ("queries", ["postgresql"]))
    ]
    cells = {
        "go/chi": {"hello": failed, "json": contradicted},
        "go/echo": {"hello": unavailable, "json": OPEN},
        "go/fiber": {"hello": failed, "json": OPEN},
        "go/gin": dict.fromkeys(("hello", "json", "queries"), PLACED),
    }
    rows = [{"server": server, "cells": mine} for server, mine in cells.items()]
    board = script["kept"]({"headings": headings, "rows": rows})
    said = script["section"]({**board, "machine": "a machine"}).replace("\N{NO-BREAK SPACE}", " ")
    assert said.startswith("4 cells of the board have a place so far.")
    without, _, rest = said.partition("**With a database**")
    assert without.partition("**Without a database**")[2].split("\n")[2:] == [
        "| Server | `hello` | `json` |",
        "|---|---|---|",
        "| `go/gin` | **1–2** reference | **1–2** reference |",
        "| `go/chi` | – (1) | **2** 1.50x (2)<br>[1.40, 1.60] |",
        "| `go/fiber` | – (1) | – |",
        "| *Reference* | `go/gin`<br>12,300/s | `go/gin`<br>12,300/s |",
        "| *Pairs not settled* | 2 | 2 |",
        "",
        "- (1) not ranked: it sends &lt;b&gt;",
        "- (2) its pieces contradict each other",
        "",
        "",
    ]
    assert "| `go/gin` | **1–2** reference |" in rest


def test_wide_boards_have_several_tables(script: dict[str, Any]) -> None:
    names = [f"s{number}" for number in range(6)]
    headings = [
        {"scenario": name, "reference": "go/gin", "services": [], "open_pairs": 0} for name in names
    ]
    rows = [{"server": "go/gin", "cells": dict.fromkeys(names, PLACED)}]
    said = script["section"]({"headings": headings, "rows": rows, "machine": "a machine"})
    assert "**Without a database**\n\n| Server | `s0` | `s1` | `s2` |\n" in said
    assert "**Without a database, continued**\n\n| Server | `s3` | `s4` | `s5` |\n" in said


def test_what_was_measured_before_stays_until_more_is_known(script: dict[str, Any]) -> None:
    def board(machine: str, **places: list[str]) -> dict[str, Any]:
        servers = sorted({name for those in places.values() for name in those})
        return {
            "headings": [{"scenario": name} for name in places],
            "rows": [
                {
                    "server": one,
                    "cells": {
                        name: {"kind": "placed", "of": machine}
                        for name in places
                        if one in places[name]
                    },
                }
                for one in servers
            ],
            "machine": machine.partition(" ")[0],
        }

    before = board("here old", json=["go/gin", "go/chi"], blog=["go/gin"])
    now = board("here new", json=["go/gin"], blog=["go/chi"], hello=["go/gin"])
    made = script["merged"](before, now)
    old, new = ({"kind": "placed", "of": f"here {when}"} for when in ("old", "new"))
    assert [one["scenario"] for one in made["headings"]] == ["blog", "hello", "json"]
    assert {row["server"]: row["cells"] for row in made["rows"]} == {
        "go/chi": {"json": {**old}, "blog": {**new}},
        "go/gin": {"json": {**old}, "hello": {**new}},
    }
    elsewhere = board("there", json=["go/gin"])
    assert script["merged"](before, elsewhere) == elsewhere


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "matrix.json"),
        ("{", "holds no matrix; write one with `webdyno run board --json FILE`"),
        ("[]", "holds no matrix"),
        ('{"headings": [], "rows": []}', "no server has a place in it yet"),
    ],
)
def test_a_file_that_is_no_matrix_is_told_in_a_line(
    script: dict[str, Any], tmp_path: Path, text: str | None, said: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = tmp_path / "matrix.json"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr("sys.argv", ["docs/board_page.py", str(path)])
    assert script["ended"](script["main"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("board_page.py: ")
    assert said in err
    assert len(err.splitlines()) == 1
