"""Write what was measured of the board into docs/board.md.

`.webdyno/venv/bin/python docs/board_page.py MATRIX` keeps the matrix that `run board --json MATRIX`
wrote in docs/board.json, with the machine of its newest piece. A scenario in which it has fewer
places than were kept stays as it was, if that was measured on the same machine. Without it, the
page is made from what is kept.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

from board_matrix import matrices
from measured import ended, rounded, where
from readme_tables import replaced

from webdyno.board.matrix import BoardCell
from webdyno.board.show import place
from webdyno.cli.context import open_store
from webdyno.errors import UserError
from webdyno.regular_file import text_of
from webdyno.report.numbers import MISSING, interval, ratio

DOCS = Path(__file__).resolve().parent
KEPT = DOCS / "board.json"
PAGE = DOCS / "board.md"
BEGIN = "<!-- measured: made by docs/board_page.py -->\n"
END = "<!-- end of measured -->"
WIDTH = 118
LISTS = [
    "<details><summary>By scenario, with the requests per second of the newest piece</summary>"
]
MOST_BYTES = 100_000_000
"""Of a matrix: far more than that of all servers and scenarios has."""


def kept(matrix: dict[str, Any]) -> dict[str, Any]:
    """The scenarios of `matrix` that have a place to show, and the servers that have one in any, or
    were measured and are not ranked; of their cells, those that were not measured are left out."""
    placed = _places(matrix)
    headings = [one for one in matrix["headings"] if placed[one["scenario"]]]
    rows = []
    for row in matrix["rows"]:
        names = [one["scenario"] for one in headings if one["scenario"] in row["cells"]]
        cells = {name: row["cells"][name] for name in names}
        if any(cell["kind"] in ("placed", "failed") for cell in cells.values()):
            known = {name: cell for name, cell in cells.items() if cell["kind"] != "open"}
            rows.append({"server": row["server"], "cells": known})
    return {"headings": headings, "rows": rows}


def merged(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Of each scenario what has more places, or else is newer; all of `now` where the two were
    measured on different machines."""
    if before["machine"] != now["machine"]:
        return now
    stays = {name for name, count in _places(before).items() if count > _places(now)[name]}
    headings, rows = [], defaultdict[str, dict[str, Any]](dict)
    for board, wanted in ((before, stays), (now, _places(now).keys() - stays)):
        headings += [one for one in board["headings"] if one["scenario"] in wanted]
        for row in board["rows"]:
            cells = {name: cell for name, cell in row["cells"].items() if name in wanted}
            rows[row["server"]].update(cells)
    return {
        "headings": sorted(headings, key=lambda one: str(one["scenario"])),
        "rows": [{"server": name, "cells": cells} for name, cells in sorted(rows.items()) if cells],
        "machine": now["machine"],
    }


def _places(board: dict[str, Any]) -> Counter[str]:
    return Counter(name for row in board["rows"] for name in row["cells"] if _cell(row, name))


def section(board: dict[str, Any]) -> str:
    """The measured part of the board, as Markdown."""
    cells = _cells(board)
    days = sorted({cell["measured"][:10] for cell in cells})
    dates = f"on {days[0]}" if len(days) == 1 else f"between {days[0]} and {days[-1]}"
    told = (
        f"{len(cells)} cells of the board have a place so far. They were measured {dates}, on "
        f"{board['machine']}. A cell gives the places that the server may have, and its throughput "
        f"as a multiple of the reference's, with the interval below it; {MISSING} marks a cell "
        "that was not measured, or whose server does not implement the scenario, and a number "
        "after it leads to the reason why the server is not ranked. References are shown with "
        "the requests per second of their newest piece. Servers are in the order of their "
        "mean place in the table."
    )
    lines = [textwrap.fill(told, WIDTH), *matrices(board), "", *LISTS]
    for heading in board["headings"]:
        name = heading["scenario"]
        mine = [
            (row["server"], cell) for row in board["rows"] if (cell := _cell(row, name)) is not None
        ]
        mine.sort(key=lambda one: (one[1]["first"], one[1]["last"], -one[1]["ratio"]))
        lines += [
            "",
            f"**`{name}`**, against `{heading['reference']}`. Pairs not settled yet: "
            f"{heading['open_pairs']}.",
            "",
            "| Server | Place | Ratio to the reference | Requests/s |",
            "|---|---:|---:|---:|",
            *(f"| `{server}` | {_figures(cell)} |" for server, cell in mine),
        ]
    return "\n".join([*lines, "", "</details>"]) + "\n"


def page(told: str, board: dict[str, Any]) -> str:
    """`told` with the measured part between its marks."""
    return replaced(told, f"\n{section(board)}\n", BEGIN, END)


def _cells(board: dict[str, Any]) -> list[dict[str, Any]]:
    """Those with a place."""
    found = (_cell(row, name) for row in board["rows"] for name in row["cells"])
    return [cell for cell in found if cell is not None]


def _cell(row: dict[str, Any], scenario: str) -> dict[str, Any] | None:
    cell: dict[str, Any] | None = row["cells"].get(scenario)
    return cell if cell is not None and cell["kind"] == "placed" else None


def _figures(cell: dict[str, Any]) -> str:
    found = BoardCell(**cell)
    rate = "–" if found.median is None else f"{rounded(found.median):,.0f}"
    return f"{place(found)} | {ratio(found.ratio)} {interval(found.low, found.high)} | {rate}"


def _matrix(path: Path) -> dict[str, Any]:
    """What `run board --json` wrote. Raises `UserError` where the file is none of that."""
    try:
        held = json.loads(text_of(path, MOST_BYTES, ".json"))
    except ValueError:
        held = None
    if not isinstance(held, dict) or not {"headings", "rows"} <= held.keys():
        raise UserError(f"{path}: holds no matrix; write one with `webdyno run board --json FILE`")
    return held


def main() -> None:
    """Keep the matrix that is named on the command line, if one is, and write the page."""
    for name in sys.argv[1:2]:
        board = kept(_matrix(Path(name)))
        if not _cells(board):
            raise UserError(f"{name}: no server has a place in it yet; measure more of the board")
        with closing(open_store()) as store:
            newest = max(_cells(board), key=lambda cell: str(cell["measured"]))
            board["machine"] = where(store.run(newest["run"]))["machine"]
        if KEPT.exists():
            board = merged(json.loads(KEPT.read_text(encoding="utf-8")), board)
        text = json.dumps(board, indent=1, ensure_ascii=False)
        KEPT.write_text(text + "\n", encoding="utf-8")
    board = json.loads(KEPT.read_text(encoding="utf-8"))
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), board), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(ended(main))
