"""The board as one HTML page that needs nothing else: filters, and readers' own weights.

What filters and weights choose stands in the page's address (behind `#`), so that it can be shared.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math

from markupsafe import Markup

from webdyno.board.matrix import BoardCell, Matrix
from webdyno.board.show import lines, place
from webdyno.report import templating
from webdyno.report.numbers import counted, with_interval


def render_html(matrix: Matrix) -> str:
    """The page. Everything that manifests say is escaped; only the page's own script runs."""
    script = templating.asset("board.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    databases = sorted({service for one in matrix.headings for service in one.services})
    return (
        templating.environment()
        .get_template("board.html.j2")
        .render(
            matrix=matrix,
            style=templating.asset("style.css"),
            script=Markup(script),
            hash=f"'sha256-{digest}'",
            notes=lines(matrix),
            languages=sorted({row.language for row in matrix.rows}),
            kinds=sorted({row.kind for row in matrix.rows if row.kind}),
            databases=databases,
            counted=counted,
            figures=_figures,
            place=place,
            told=_cell_details,
            data=_data,
        )
    )


def _figures(cell: BoardCell) -> str:
    return with_interval(cell.ratio, cell.low, cell.high)


def _cell_details(cell: BoardCell) -> str:
    """What stands behind a figure, for whoever points at it."""
    if cell.measured is None:
        return cell.note
    pieces = counted(cell.pieces, "piece")
    median = f"{cell.median:,.0f}/s in the newest, " if cell.median else ""
    return f"{pieces}, {median}{cell.measured:%Y-%m-%d %H:%M} UTC, run {cell.run}"


def _data(cell: BoardCell | None) -> str:
    """Low end, middle and high end, for the script, null for one that nothing bounds; empty where
    there is no place."""
    if cell is None or cell.kind != "placed":
        return ""
    ends = (cell.low, cell.ratio, cell.high)
    return json.dumps([end if math.isfinite(end) else None for end in ends])
