"""The interactive charts: Vega-Lite specifications (by Altair) and the points they show.

One specification a kind of chart, shared by all sections; a section brings only its points, as
columns, so that the page stays small. Colours come from the page's theme, by the order of the
entries; a dash pattern and a shape go with each colour, so that nothing rests on colour alone.
Every chart filters by the parameter `hidden`, which the page's legend sets.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import altair as alt
from altair.utils import schemapi

from webdyno.report.charts import bars as bar_charts
from webdyno.report.charts import rates as rate_charts
from webdyno.report.charts import series
from webdyno.report.charts import usl as scaling_charts
from webdyno.report.charts.legend import SHOWN
from webdyno.store import histograms

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from webdyno.report.summary import EntryRow, Section
    from webdyno.store.records import RunRecord, TrialRecord

DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 3), (10, 3, 2, 3), (5, 2, 2, 2, 2, 2))
"""Five patterns beside eight colours: 40 entries before a pair repeats."""

Told = list[tuple[str, str]]
"""What the page tells of the point under the pointer: (label, field), beside the entry's name."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")

OVER_TIME: dict[str, tuple[str, str, Callable[[Sequence[TrialRecord]], series.Curve]]] = {
    "throughput-time": ("Throughput", "answers per second", series.throughput),
    **{
        f"{name}-time": (name, f"{name} latency of each second, ms", series.latency(name))
        for name in ("p50", "p90", "p95", "p99")
    },
    "errors-time": ("Errors", "errors per second", series.errors),
    "cpu-time": ("CPU", "% of the server's cores", series.cpu),
    "memory-time": ("Memory", "MB", series.memory),
}
"""Kind: (tab, y axis, curve)."""

LEAST_POINTS, LEAST_S = 5, 4.0
"""Fewer points, or a shorter time in seconds, make no curve."""

_TITLE = "@y-title@"
"""Stands for the title of an axis, where charts differ in nothing else."""

OVERSHOOT = 150.0
"""Percent of its end above which a warm-up curve is drawn as that: one burst of answers after a
pause must not squeeze everything else."""


def without_checks() -> contextlib.AbstractContextManager[None]:
    """Where charts are made without Altair's checks against Vega-Lite's schema: these take longer
    than all else in a report, and the tests make them."""
    found: contextlib.AbstractContextManager[None] = schemapi.debug_mode(False)
    return found


def specifications(
    run: RunRecord, entries: Sequence[str], kinds: Collection[str]
) -> dict[str, dict[str, Any]]:
    """The Vega-Lite specification of each of `kinds`, for these entries."""
    found: dict[str, alt.LayerChart] = {}
    if "latency" in kinds:
        found["latency"] = _latency(entries)
    if "warm-up" in kinds:
        found["warm-up"] = _warm_up(entries)
    shared = (_colour(entries), _dash(entries), _shape(entries))
    found |= rate_charts.specifications(kinds, *shared)
    found |= bar_charts.specifications(kinds, _colour(entries))
    encodings = dict(zip(("color", "strokeDash", "shape"), shared, strict=True))
    found |= scaling_charts.specifications(run, encodings)
    made = {kind: _plain(chart) for kind, chart in found.items() if kind in kinds}
    return made | _over_time_specifications(entries, [kind for kind in OVER_TIME if kind in kinds])


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


def points(
    section: Section, entries: Sequence[str], *, scheduled: bool = False
) -> dict[str, dict[str, list[list[Any]]]]:
    """The points of each kind of chart in `section`: data set: rows of columns.

    `scheduled`: requests arrive on a schedule, which is drawn beside the answers.

    The first column is always the entry's place in `entries`. A kind without points is left out.
    """
    found: dict[str, dict[str, list[list[Any]]]] = {
        "latency": {"rows": _per_row(section, entries, _percentiles)},
        "warm-up": {
            "rows": _per_row(section, entries, _warm_up_curve),
            "steady": _per_row(section, entries, _steady),
        },
    }
    for kind, (_, _, curve) in OVER_TIME.items():
        rows = _per_row(section, entries, _over_time(kind, curve))
        found[kind] = {"rows": rows if _has_several(rows) else []}
    found |= rate_charts.points(section, entries)
    if scheduled and section.rows:
        everyone = [trial for row in section.rows for trial in _used(row)]
        schedule = series.offered(everyone)
        if schedule and found["throughput-time"]["rows"]:
            xs, ys = zip(*schedule, strict=True)
            place = entries.index(section.rows[0].entry)
            columns = [place, [_short(x) for x in xs], [_short(y) for y in ys]]
            found["throughput-time"]["offered"] = [columns]
    return {kind: data for kind, data in found.items() if any(data.values())}


def _has_several(rows: list[list[Any]]) -> bool:
    """Whether curves over time show one: a load of a second or two is all start and end."""
    return any(len(xs) >= LEAST_POINTS and xs[-1] - xs[0] >= LEAST_S for _, xs, _ in rows)


def _over_time(
    kind: str, curve: Callable[[Sequence[TrialRecord]], series.Curve]
) -> Callable[[EntryRow], series.Curve]:
    # Errors are looked for in every trial: the ones that do not count have most of them.
    return lambda row: curve(row.trials if kind == "errors-time" else _used(row))


def _used(row: EntryRow) -> Sequence[TrialRecord]:
    """The trials that count, or all where none does: better a doubtful curve than none."""
    return [trial for trial in row.trials if trial.status == "ok"] or row.trials


def _percentiles(row: EntryRow) -> series.Curve:
    encoded = [
        trial.measurement.histograms["from_intended"]
        for trial in _used(row)
        if trial.measurement is not None and "from_intended" in trial.measurement.histograms
    ]
    found = histograms.pooled(encoded)
    if found is None:
        return []
    return [(nines, us / 1000) for nines, us in histograms.percentile_curve(found)]


def _warm_up_curve(row: EntryRow) -> series.Curve:
    """Percent of its end; time is on a logarithmic axis, which has no zero."""
    curve = series.warm_up(_used(row))
    return [(at, min(share, OVERSHOOT)) for at, share in curve if at > 0]


def _steady(row: EntryRow) -> series.Curve:
    """Where on its warm-up curve the entry was found steady; nothing if it mostly was not."""
    after = series.steady_after(_used(row))
    curve = _warm_up_curve(row)
    if after is None or not curve:
        return []
    return [(after, min(curve, key=lambda point: abs(point[0] - after))[1])]


def _per_row(
    section: Section, entries: Sequence[str], curve: Callable[[EntryRow], series.Curve]
) -> list[list[Any]]:
    rows = []
    for row in section.rows:
        found = curve(row)
        if found:
            xs, ys = zip(*found, strict=True)
            place = entries.index(row.entry)
            rows.append([place, [_short(x) for x in xs], [_short(y) for y in ys]])
    return rows


def _short(value: float) -> float:
    """Four significant digits: finer than a pixel, and a third of the page's size."""
    return float(f"{value:.4g}")


def _filtered(*layers: alt.Chart) -> alt.LayerChart:
    """`layers` on the data set `rows`, without the entries named in the parameter `hidden`."""
    chart = alt.LayerChart(layer=list(layers), data=alt.NamedData("rows"))
    return chart.add_params(alt.param(name="hidden", value=[])).transform_filter(SHOWN)


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
    layers = _filtered(line, *over, marks).add_params(few)
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
        alt.Chart(alt.NamedData("steady"))
        .transform_filter(SHOWN)
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
