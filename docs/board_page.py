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

from measured import ended, rounded, where
from readme_tables import replaced

from webdyno.board.matrix import BoardCell
from webdyno.board.show import place
from webdyno.cli.context import open_store
from webdyno.errors import UserError
from webdyno.regular_file import text_of
from webdyno.report.numbers import interval, ratio

DOCS = Path(__file__).resolve().parent
KEPT = DOCS / "board.json"
PAGE = DOCS / "board.md"
BEGIN = "<!-- measured: made by docs/board_page.py -->\n"
END = "<!-- end of measured -->"
WIDTH = 118
MOST_BYTES = 100_000_000
"""Of a matrix: far more than that of all servers and scenarios has."""


def kept(matrix: dict[str, Any]) -> dict[str, Any]:
    """The scenarios of `matrix` that have a place to show, and the servers in them."""
    headings = [
        heading
        for heading in matrix["headings"]
        if any(_cell(row, heading["scenario"]) for row in matrix["rows"])
    ]
    rows = []
    for row in matrix["rows"]:
        cells = {
            name: cell
            for heading in headings
            if (cell := _cell(row, name := heading["scenario"])) is not None
        }
        if cells:
            rows.append({"server": row["server"], "cells": cells})
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
    return Counter(name for row in board["rows"] for name in row["cells"])


def section(board: dict[str, Any]) -> str:
    """The measured part of the board, as Markdown."""
    cells = _cells(board)
    days = sorted({cell["measured"][:10] for cell in cells})
    dates = f"on {days[0]}" if len(days) == 1 else f"between {days[0]} and {days[-1]}"
    told = (
        f"{len(cells)} cells of the board have a place so far. They were measured {dates}, on "
        f"{board['machine']}. A row gives the place, the throughput as a multiple of the "
        "reference's, with its interval, and the requests per second of the newest piece."
    )
    lines = [textwrap.fill(told, WIDTH)]
    for heading in board["headings"]:
        name = heading["scenario"]
        mine = [
            (row["server"], row["cells"][name]) for row in board["rows"] if name in row["cells"]
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
    return "\n".join(lines) + "\n"


def page(told: str, board: dict[str, Any]) -> str:
    """`told` with the measured part between its marks."""
    return replaced(told, f"\n{section(board)}\n", BEGIN, END)


def _cells(board: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for row in board["rows"] for cell in row["cells"].values()]


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
