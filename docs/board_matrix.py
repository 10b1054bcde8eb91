"""The kept board as matrices, for docs/board.md: servers down, scenarios across, so many as a page
has room for; those without a database first. Servers are in the order of their mean place."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from typing import Any

from measured import rounded

from webdyno.board.forecast import KINDS
from webdyno.board.matrix import BoardCell, by_mean_place
from webdyno.board.show import place
from webdyno.report.layout import ends_joined
from webdyno.report.numbers import MISSING, interval, ratio

ACROSS = 5
"""Scenarios that a table has at most."""


def matrices(board: dict[str, Any]) -> list[str]:
    """The tables' lines, each with its heading and the reasons of what has no place in it."""
    lines = []
    for needs, title in ((False, "Without a database"), (True, "With a database")):
        headings = [one for one in board["headings"] if bool(one["services"]) == needs]
        # About as many in each table, rather than a last one of a single scenario.
        tables = math.ceil(len(headings) / ACROSS)
        across = math.ceil(len(headings) / tables) if tables else ACROSS
        for begin in range(0, len(headings), across):
            lines += ["", f"**{title}{', continued' if begin else ''}**", ""]
            lines += _table(headings[begin : begin + across], board["rows"])
    return lines


def _table(headings: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    names = [one["scenario"] for one in headings]
    cells = {
        row["server"]: {
            name: BoardCell(**row["cells"][name]) for name in names if name in row["cells"]
        }
        for row in rows
    }
    cells = {server: mine for server, mine in cells.items() if mine}
    yield f"| Server | {' | '.join(f'`{name}`' for name in names)} |"
    yield f"|---|{'---|' * len(names)}"
    reasons: dict[str, int] = {}
    for server in sorted(cells, key=lambda one: by_mean_place(one, cells[one].values())):
        told = [
            _cell_text(cells[server].get(one["scenario"]), server == one["reference"], reasons)
            for one in headings
        ]
        yield f"| `{server}` | {' | '.join(told)} |"
    references = [_reference(one, cells) for one in headings]
    yield f"| *Reference* | {' | '.join(references)} |"
    yield f"| *Pairs not settled* | {' | '.join(str(one['open_pairs']) for one in headings)} |"
    if reasons:
        yield ""
        yield from (f"- ({number}) {html.escape(reason)}" for reason, number in reasons.items())


def _cell_text(cell: BoardCell | None, is_reference: bool, reasons: dict[str, int]) -> str:
    """The place, and the ratio to the reference with its interval; a dash and the number of its
    reason where there is no place."""
    if cell is None:
        return MISSING
    if cell.kind != "placed":
        what = "not ranked" if cell.kind == "failed" else KINDS[cell.kind]
        why = f"{what}: {cell.note}" if cell.note else what
        return f"{MISSING} ({reasons.setdefault(why, len(reasons) + 1)})"
    figures = "reference" if is_reference else ratio(cell.ratio)
    ends = "" if is_reference else f"<br>{ends_joined(interval(cell.low, cell.high))}"
    doubt = ""
    if cell.contradicted:
        doubt = f" ({reasons.setdefault('its pieces contradict each other', len(reasons) + 1)})"
    return f"**{place(cell)}** {figures}{doubt}{ends}"


def _reference(heading: dict[str, Any], cells: dict[str, dict[str, BoardCell]]) -> str:
    """Which server it is, and its requests per second in its newest piece."""
    server, name = heading["reference"], heading["scenario"]
    found = cells.get(server, {}).get(name)
    rate = rounded(found.median) if found else None
    return f"`{server}`" + (f"<br>{rate:,.0f}/s" if rate else "")
