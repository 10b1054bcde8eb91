"""The interactive charts: Vega-Lite specifications (by Altair) and the points they show.

One specification a kind of chart, shared by all sections; a section brings only its points, as
columns, so that the page stays small. Colours come from the page's theme, by the order of the
entries; a dash pattern and a shape go with each colour, so that nothing rests on colour alone.
Every chart filters by the parameter `hidden`, which the page's legend sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from webdyno.report import bar_charts, rate_charts, scaling_charts, series, summary
from webdyno.report.legend import SHOWN
from webdyno.store import histograms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webdyno.report.summary import Row, Section
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


def specifications(entries: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The Vega-Lite specification of each kind of chart, for these entries."""
    made = {
        "throughput": _intervals(entries),
        "latency": _latency(entries),
        "warm-up": _warm_up(entries),
    }
    for kind, (_, y_title, _) in OVER_TIME.items():
        over = [_offered()] if kind == "throughput-time" else []
        made[kind] = _lines(entries, "seconds", y_title, over=over)
    made |= rate_charts.specifications(entries, _colour(entries), _dash(entries), _shape(entries))
    return {kind: _plain(chart) for kind, chart in made.items()}


def lines(entries: Sequence[str], x_title: str, y_title: str) -> dict[str, Any]:
    """The specification of a chart with one line an entry, for points `rows` of x and y."""
    return _plain(_lines(entries, x_title, y_title))


def scaling_specifications(run: RunRecord, entries: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The specification of each chart of how servers scale."""
    shared = {"color": _colour(entries), "strokeDash": _dash(entries), "shape": _shape(entries)}
    return {
        kind: _plain(chart) for kind, chart in scaling_charts.specifications(run, shared).items()
    }


def bar_specifications(entries: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The specification of each chart of bars, every entry on one scale."""
    found = bar_charts.specifications(_colour(entries))
    return {kind: _plain(chart) for kind, chart in found.items()}


def points(
    section: Section, entries: Sequence[str], *, scheduled: bool = False
) -> dict[str, dict[str, list[list[Any]]]]:
    """The points of each kind of chart in `section`: data set: rows of columns.

    `scheduled`: requests arrive on a schedule, which is drawn beside the answers.

    The first column is always the entry's place in `entries`. A kind without points is left out.
    """
    found: dict[str, dict[str, list[list[Any]]]] = {
        "throughput": _interval_points(section, entries),
        "latency": {"rows": _per_row(section, entries, _percentiles)},
        "warm-up": {
            "rows": _per_row(section, entries, _warm_up_curve),
            "steady": _per_row(section, entries, _steady),
        },
    }
    for kind, (_, _, curve) in OVER_TIME.items():
        found[kind] = {"rows": _per_row(section, entries, _over_time(kind, curve))}
    found |= rate_charts.points(section, entries)
    if scheduled and section.rows:
        everyone = [trial for row in section.rows for trial in _used(row)]
        if schedule := series.offered(everyone):
            xs, ys = zip(*schedule, strict=True)
            place = entries.index(section.rows[0].entry)
            columns = [place, [_short(x) for x in xs], [_short(y) for y in ys]]
            found["throughput-time"]["offered"] = [columns]
    return {kind: data for kind, data in found.items() if any(data.values())}


def _over_time(
    kind: str, curve: Callable[[Sequence[TrialRecord]], series.Curve]
) -> Callable[[Row], series.Curve]:
    # Errors are looked for in every trial: the ones that do not count have most of them.
    return lambda row: curve(row.trials if kind == "errors-time" else _used(row))


def _used(row: Row) -> Sequence[TrialRecord]:
    """The trials that count, or all where none does: better a doubtful curve than none."""
    return [trial for trial in row.trials if trial.status == "ok"] or row.trials


def _percentiles(row: Row) -> series.Curve:
    encoded = [
        trial.measurement.histograms["from_intended"]
        for trial in _used(row)
        if trial.measurement is not None and "from_intended" in trial.measurement.histograms
    ]
    found = histograms.pooled(encoded)
    if found is None:
        return []
    return [(nines, us / 1000) for nines, us in histograms.percentile_curve(found)]


def _warm_up_curve(row: Row) -> series.Curve:
    """Its axis is logarithmic: what is less than a thousandth of the best is drawn as that."""
    curve = series.warm_up(_used(row))
    least = max((rate for _, rate in curve), default=0.0) / 1000
    return [(at, max(rate, least)) for at, rate in curve] if least else []


def _steady(row: Row) -> series.Curve:
    """Where on its warm-up curve the entry was found steady; nothing if it mostly was not."""
    after = series.steady_after(_used(row))
    curve = _warm_up_curve(row)
    if after is None or not curve:
        return []
    return [(after, min(curve, key=lambda point: abs(point[0] - after))[1])]


def _per_row(
    section: Section, entries: Sequence[str], curve: Callable[[Row], series.Curve]
) -> list[list[Any]]:
    rows = []
    for row in section.rows:
        found = curve(row)
        if found:
            xs, ys = zip(*found, strict=True)
            place = entries.index(row.entry)
            rows.append([place, [_short(x) for x in xs], [_short(y) for y in ys]])
    return rows


def _interval_points(section: Section, entries: Sequence[str]) -> dict[str, list[list[Any]]]:
    middle: list[list[Any]] = []
    trials: list[list[Any]] = []
    for row in section.rows:
        place = entries.index(row.entry)
        median = row.medians.get(section.rate)
        if median is not None:
            low, high = row.interval if row.interval and section.by_rate else (median, median)
            middle.append([place, [_short(median)], [_short(low)], [_short(high)]])
        rates = (summary.rate_of(trial) for trial in _used(row))
        values = [rate for rate in rates if rate is not None]
        if values:
            trials.append([place, [_short(value) for value in values]])
    return {"rows": middle, "trials": trials}


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
    """Throughput from the first request on, with a mark where it was found steady."""
    steady = (
        alt.Chart(alt.NamedData("steady"))
        .transform_filter(SHOWN)
        .mark_point(filled=True, size=70, opacity=1)
        .encode(x="x:Q", y="y:Q", color=_colour(entries), shape=_shape(entries))
    )
    x_title, y_title = "seconds from the first request", "answers per second"
    # Logarithmic, so that a cold start is seen beside servers of any speed.
    scale = alt.Scale(type="log")
    axis = alt.Axis(format="~s", values=_ticks(0, 7))
    y = alt.Y("y:Q", title=y_title, scale=scale, axis=axis)
    return _lines(entries, x_title, y_title, y=y, over=[steady])


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


def _intervals(entries: Sequence[str]) -> alt.LayerChart:
    """Each entry's median with its interval; every trial as a tick behind it."""
    # No sort: the order is that of the points, best first, which differs between sections.
    y = alt.Y(
        "entry:N",
        sort=None,
        title=None,
        axis=alt.Axis(labelLimit=150, ticks=False, domain=False, grid=True),
    )
    # Zero belongs to the axis: without it a tie looks like a rout.
    axis = alt.Axis(format="~s", tickCount=5)
    x = alt.X("low:Q", title="answers per second", axis=axis, scale=alt.Scale(zero=True))
    rows = alt.Chart().encode(y=y, color=_colour(entries), tooltip="mid:Q")
    trials = (
        alt.Chart(alt.NamedData("trials"))
        .transform_filter(SHOWN)
        .mark_tick(thickness=1.5, size=16, opacity=0.45)
        .encode(y=y, x=alt.X("x:Q"), color=_colour(entries), tooltip="x:Q")
    )
    rule = rows.mark_rule(strokeWidth=3, clip=True).encode(x=x, x2="high:Q")
    point = rows.mark_point(filled=True, size=90, opacity=1).encode(
        x="mid:Q", shape=_shape(entries)
    )
    told = [
        ("median, req/s", "mid"),
        ("interval from", "low"),
        ("to", "high"),
        ("one trial, req/s", "x"),
    ]
    columns = {"rows": ["mid", "low", "high"]}
    usermeta = {"told": told, "columns": columns}
    return _filtered(rule, trials, point).properties(usermeta=usermeta)


def _plain(chart: alt.LayerChart) -> dict[str, Any]:
    """The specification without what the page decides itself: theme, width, data."""
    made: dict[str, Any] = chart.properties(width="container").to_dict()
    for key in ("config", "$schema"):
        made.pop(key, None)
    made["autosize"] = {"type": "fit-x", "contains": "padding"}
    return made
