"""The interactive charts as Vega-Lite specifications, by Altair. Their points: see `points`.

One specification a kind of chart, shared by all sections; a section brings only its points, as
columns, so that the page stays small. Colours come from the page's theme, by the order of the
entries; a dash pattern and a shape go with each colour, so that nothing rests on colour alone.
Every chart filters by the parameter `hidden`, which the page's legend sets.
"""

from __future__ import annotations

import contextlib
import functools
import json
from typing import TYPE_CHECKING, Any

import altair as alt
from altair.utils import schemapi

from webdyno.report.charts import bars as bar_charts
from webdyno.report.charts import rates as rate_charts
from webdyno.report.charts import usl as scaling_charts
from webdyno.report.charts.legend import filtered, shown
from webdyno.report.charts.points import OVER_TIME

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from webdyno.store.records import RunRecord

DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 3), (10, 3, 2, 3), (5, 2, 2, 2, 2, 2))
"""Five patterns beside eight colours: 40 entries before a pair repeats."""

Told = list[tuple[str, str]]
"""What the page tells of the point under the pointer: (label, field), beside the entry's name."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")

_TITLE = "@y-title@"
"""Stands for the title of an axis, where charts differ in nothing else."""


def without_checks() -> contextlib.AbstractContextManager[None]:
    """Where charts are made without Altair's checks against Vega-Lite's schema: these take longer
    than all else in a report, and the tests make them."""
    found: contextlib.AbstractContextManager[None] = schemapi.debug_mode(False)
    return found


def specifications(
    run: RunRecord, entries: Sequence[str], kinds: Collection[str]
) -> dict[str, dict[str, Any]]:
    """The Vega-Lite specification of each of `kinds`, for these entries; only to be read."""
    wanted = tuple(sorted(kinds))
    return _of_any_run(tuple(entries), wanted, schemapi.DEBUG_MODE) | _scaling(run, entries, wanted)


@functools.lru_cache(maxsize=16)
def _of_any_run(
    entries: tuple[str, ...], kinds: tuple[str, ...], _checked: bool
) -> dict[str, dict[str, Any]]:
    """Kept, because a notebook shows many runs of the same servers, and these take longer than all
    else in a page."""
    charts: dict[str, alt.LayerChart] = {}
    if "latency" in kinds:
        charts["latency"] = _latency(entries)
    if "warm-up" in kinds:
        charts["warm-up"] = _warm_up(entries)
    charts |= rate_charts.specifications(kinds, _colour(entries), _dash(entries), _shape(entries))
    charts |= bar_charts.specifications(kinds, _colour(entries))
    made = {kind: _plain(chart) for kind, chart in charts.items() if kind in kinds}
    return made | _over_time_specifications(entries, [kind for kind in OVER_TIME if kind in kinds])


def _scaling(
    run: RunRecord, entries: Sequence[str], kinds: Collection[str]
) -> dict[str, dict[str, Any]]:
    encodings = dict(color=_colour(entries), strokeDash=_dash(entries), shape=_shape(entries))
    charts = scaling_charts.specifications(run, encodings)
    return {kind: _plain(chart) for kind, chart in charts.items() if kind in kinds}


def _over_time_specifications(
    entries: Sequence[str], kinds: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Charts over time differ in their y axis's title: one is made, the others are its copies."""
    made: dict[str, dict[str, Any]] = {}
    drawn: dict[bool, str] = {}
    for kind in kinds:
        scheduled = kind == "throughput-time"
        if scheduled not in drawn:
            over = [_offered()] if scheduled else []
            drawn[scheduled] = json.dumps(_plain(_lines(entries, "seconds", _TITLE, over=over)))
        made[kind] = json.loads(drawn[scheduled].replace(_TITLE, OVER_TIME[kind][1]))
    return made


def lines(entries: Sequence[str], x_title: str, y_title: str) -> dict[str, Any]:
    """The specification of a chart with one line an entry, for points `rows` of x and y."""
    return _plain(_lines(entries, x_title, y_title))


def _colour(entries: Sequence[str]) -> alt.Color:
    # No range: the theme's category colours are taken in the order of the domain.
    return alt.Color("entry:N", scale=alt.Scale(domain=list(entries)), legend=None)


def _dash(entries: Sequence[str]) -> alt.StrokeDash:
    patterns = [list(DASHES[i % len(DASHES)]) for i in range(len(entries))]
    return alt.StrokeDash(
        "entry:N", scale=alt.Scale(domain=list(entries), range=patterns), legend=None
    )


def _shape(entries: Sequence[str]) -> alt.Shape:
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(entries))]
    return alt.Shape("entry:N", scale=alt.Scale(domain=list(entries), range=shapes), legend=None)


def _lines(
    entries: Sequence[str],
    x_title: str,
    y_title: str,
    *,
    x: alt.X | None = None,
    y: alt.Y | None = None,
    told: Told | None = None,
    over: Sequence[alt.Chart] = (),
) -> alt.LayerChart:
    """Lines, one an entry, with the nearest point marked and told under the pointer."""
    nearest = alt.selection_point(
        name="nearest", nearest=True, on="pointermove", clear="pointerout", empty=False
    )
    base = alt.Chart().encode(
        x=x or alt.X("x:Q", title=x_title, axis=alt.Axis(grid=False), scale=alt.Scale(nice=False)),
        y=y or alt.Y("y:Q", title=y_title, axis=alt.Axis(format="~s")),
        color=_colour(entries),
    )
    # A line of one or two points is hardly seen: the page sets `few`, and all points are drawn.
    few = alt.param(name="few", value=False)
    opacity = alt.when(nearest).then(alt.value(1)).when("few").then(alt.value(1))
    line = base.mark_line(strokeWidth=2).encode(strokeDash=_dash(entries))
    marks = (
        base.mark_point(filled=True, size=60)
        .encode(shape=_shape(entries), opacity=opacity.otherwise(alt.value(0)), tooltip="y:Q")
        .add_params(nearest)
    )
    layers = filtered(line, *over, marks).add_params(few)
    told = told or [(x_title, "x"), (y_title, "y")]
    return layers.properties(usermeta={"told": told})


def _offered() -> alt.Chart:
    """What the schedule asked for: one line for all, since all are asked the same."""
    line = alt.Chart(alt.NamedData("offered")).mark_line(
        strokeWidth=1.5, strokeDash=[3, 3], color="#8a8a8a", interpolate="step-after"
    )
    drawn: alt.Chart = line.encode(x="x:Q", y="y:Q")
    return drawn


def _warm_up(entries: Sequence[str]) -> alt.LayerChart:
    """Throughput from the first request on, with a mark where it was found steady.

    Relative to its end, so that a cold start is seen whatever a server's speed; over the logarithm
    of time, since some are warm after a tenth of a second and others after half a minute.
    """
    steady = (
        shown("steady")
        .mark_point(filled=True, size=70, opacity=1)
        .encode(x="x:Q", y="y:Q", color=_colour(entries), shape=_shape(entries))
    )
    x_title, y_title = "seconds from the first request", "% of the throughput at its end"
    x = alt.X(
        "x:Q",
        title=x_title,
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(grid=False, values=_ticks(-2, 3), format="~r"),
    )
    y = alt.Y("y:Q", title=y_title, scale=alt.Scale(zero=True), axis=alt.Axis(format="~r"))
    return _lines(entries, x_title, y_title, x=x, y=y, over=[steady])


def _ticks(first: int, last: int) -> list[float]:
    """1, 2, 5 and no lines between: a log axis draws nine lines a decade otherwise."""
    return [float(f"{digit}e{power}") for power in range(first, last) for digit in (1, 2, 5)]


def _latency(entries: Sequence[str]) -> alt.LayerChart:
    """The upper half of the distribution on an axis of nines: 90%, 99%, 99.9% are equally far
    apart, because what is rare is what hurts."""
    nines = "format(100 - 100 / datum.value, '~r') + '%'"
    x = alt.X(
        "x:Q",
        title="share of the answers at least this quick",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(values=[2, 10, 100, 1e3, 1e4, 1e5, 1e6], labelExpr=nines, labelSeparation=8),
    )
    y = alt.Y(
        "y:Q",
        title="latency, ms",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(values=_ticks(-3, 6), format="~r"),
    )
    share = "format(100 - 100 / datum.x, '.6~r') + '%'"
    told = [("share of answers", "share"), ("within, ms", "y")]
    return _lines(entries, "", "", x=x, y=y, told=told).transform_calculate(share=share)


def _plain(chart: alt.LayerChart) -> dict[str, Any]:
    """The specification without what the page decides itself: theme, width, data."""
    # Checked or not, as everything else of the chart.
    plain = chart.properties(width="container")
    made: dict[str, Any] = plain.to_dict(validate=schemapi.DEBUG_MODE)
    for key in ("config", "$schema"):
        made.pop(key, None)
    made["autosize"] = {"type": "fit-x", "contains": "padding"}
    return made
