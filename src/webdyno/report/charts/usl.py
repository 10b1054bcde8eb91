"""The charts of how servers scale: what was measured, the law fitted to it, and its band."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from webdyno.report.charts.legend import hideable, shown
from webdyno.report.numbers import four_digits
from webdyno.report.tables.usl import views

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webdyno.store.records import RunRecord


def specifications(run: RunRecord, shared: dict[str, Any]) -> dict[str, alt.LayerChart]:
    """A chart for each view, with the encodings `color`, `strokeDash` and `shape` of the page."""
    return {view.chart: _chart(view.record.over, shared) for view in views(run)}


def points(run: RunRecord, entries: Sequence[str]) -> list[dict[str, dict[str, list[list[Any]]]]]:
    """The points of each view's chart: the fit, its band, and what was measured."""
    found = []
    for view in views(run):
        known = [one for one in view.record.entries if one.curve and one.entry in entries]
        sets: dict[str, list[list[Any]]] = {"rows": [], "band": [], "measured": []}
        for one in known:
            place = entries.index(one.entry)
            n, mid, low, high = (
                list(map(four_digits, column)) for column in zip(*one.curve, strict=True)
            )
            sets["rows"].append([place, n, mid])
            sets["band"].append([place, n, low, high])
            at, rates = zip(*one.points, strict=True)
            sets["measured"].append(
                [place, list(map(four_digits, at)), list(map(four_digits, rates))]
            )
        found.append({view.chart: sets} if known else {})
    return found


def _chart(over: str, shared: dict[str, Any]) -> alt.LayerChart:
    colour, dash, shape = shared["color"], shared["strokeDash"], shared["shape"]
    x = alt.X(
        "x:Q",
        title=over,
        scale=alt.Scale(type="log", base=2, nice=False),
        axis=alt.Axis(format="~s", grid=False),
    )
    y = alt.Y("y:Q", title="answers per second", axis=alt.Axis(format="~s"))

    low = alt.Y("low:Q", title="answers per second")
    band = shown("band").mark_area(opacity=0.18).encode(x=x, y=low, y2="high:Q", color=colour)
    line = shown("rows").mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash)
    marks = shown("measured").mark_point(filled=True, size=60, opacity=0.9)
    marks = marks.encode(x=x, y=y, color=colour, shape=shape, tooltip="y:Q")
    chart = alt.LayerChart(layer=[band, line, marks])
    told = [(over, "x"), ("answers per second", "y")]
    columns = {"band": ["x", "low", "high"]}
    return hideable(chart).properties(usermeta={"told": told, "columns": columns})
