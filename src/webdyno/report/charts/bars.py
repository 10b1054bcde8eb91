"""Bars of what a run measured, every server on one scale: throughput, memory and threads of each
scenario, and build times.

A bar is the median over the trials that count, or over the repeated builds; the line on it is
their range. Bars of one entry stand together, one a load or a kind of build.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt

from webdyno.report import pooled
from webdyno.report.charts.legend import filtered
from webdyno.report.numbers import four_digits
from webdyno.report.tables import memory
from webdyno.report.text import loads

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from webdyno.store.records import RunRecord, TrialRecord

GREY = "#7d7d7d"
"""Seen on white and on dark, and no entry's colour."""

KINDS = {
    "bars-throughput": ("Throughput", "answers per second"),
    "bars-memory": ("Memory", "MB"),
    "bars-threads": ("Peak threads", "threads"),
    "bars-build": ("Build time", "seconds"),
}
"""Kind: (title, x axis)."""

Columns = list[list[Any]]
Points = dict[str, dict[str, Columns]]


@dataclass(frozen=True)
class BarsView:
    """The charts that stand together under one title, with the entries in them."""

    title: str
    entries: tuple[str, ...]
    kinds: tuple[str, ...]
    points: Points


def views(run: RunRecord, entries: Sequence[str]) -> list[BarsView]:
    """A view for each scenario of `run`, and one of its build times; those without bars left out.

    The first column of the points is the entry's place in `entries`.
    """
    found = [(scenario, _of_scenario(run, entries, scenario)) for scenario in memory.scenarios(run)]
    found.append(("Building", {"bars-build": _builds(run, entries)}))
    made = []
    for title, kinds in found:
        points = {kind: {"rows": rows} for kind, rows in kinds.items() if rows}
        if points:
            shown = {row[0]: None for data in points.values() for row in data["rows"]}
            names = tuple(entries[place] for place in sorted(shown))
            made.append(BarsView(title, names, tuple(points), points))
    return made


def specifications(kinds: Collection[str], colour: alt.Color) -> dict[str, alt.LayerChart]:
    """The chart of each of `kinds`, in the colours of the page's entries."""
    return {kind: _chart(x_title, colour) for kind, (_, x_title) in KINDS.items() if kind in kinds}


def _of_scenario(run: RunRecord, entries: Sequence[str], scenario: str) -> dict[str, Columns]:
    by_entry = memory.by_entry(run, scenario)
    made = {trial.load for trials in by_entry.values() for trial in trials}
    named = [load for load in memory.loads(run) if load in made]
    # Where requests come on a schedule, the throughput is the schedule's. A single load's stands in
    # its ranking.
    rated = [load for load in named if not loads.is_open(run, load)]
    rated = rated if len(rated) > 1 else []
    kept = [memory.AT_START, *(memory.peak_under(load) for load in named)]
    return {
        "bars-throughput": _rows(
            entries,
            {e: [(load, _rates(t, load)) for load in rated] for e, t in by_entry.items()},
        ),
        "bars-memory": _rows(
            entries,
            {
                e: [(kind, [b / 1e6 for b in memory.memory(t, kind)]) for kind in kept]
                for e, t in by_entry.items()
            },
        ),
        "bars-threads": _rows(
            entries,
            {e: [(load, _threads(t, load)) for load in named] for e, t in by_entry.items()},
        ),
    }


def _builds(run: RunRecord, entries: Sequence[str]) -> Columns:
    found: dict[str, list[tuple[str, Sequence[float]]]] = {}
    built = [one.server for one in run.build_times]
    for one in run.build_times:
        if (entry := _built_as(one.server, entries, built)) is not None:
            found[entry] = [("clean", one.clean_s), ("incremental", one.incremental_s)]
    return _rows(entries, found)


def _built_as(build: str, entries: Sequence[str], built: Sequence[str]) -> str | None:
    """The first of `entries` whose build that is: a server is built once for all its variants, but
    for each runtime that one of them chooses, by whose name it was built then."""
    if build in entries:
        return build
    variants = (entry for entry in entries if entry.partition("@")[0] == build)
    return next((entry for entry in variants if entry not in built), None)


def _rows(
    entries: Sequence[str], series_of: dict[str, list[tuple[str, Sequence[float]]]]
) -> Columns:
    rows: Columns = []
    for entry, series in series_of.items():
        known = [(name, values) for name, values in series if values]
        if entry in entries and known:
            names = [name for name, _ in known]
            figures = [
                [four_digits(of(v)) for _, v in known] for of in (statistics.median, min, max)
            ]
            rows.append([entries.index(entry), names, *figures])
    return rows


def _rates(trials: Iterable[TrialRecord], load: str) -> list[float]:
    rates = [pooled.rate_of(trial) for trial in trials if trial.load == load]
    return [rate for rate in rates if rate is not None]


def _threads(trials: Iterable[TrialRecord], load: str) -> list[float]:
    measured = [trial.measurement for trial in trials if trial.load == load]
    return [float(one.threads_peak) for one in measured if one is not None and one.threads_peak]


def _chart(x_title: str, colour: alt.Color) -> alt.LayerChart:
    # No sort: entries and series stand in the order of the points, which is the study's.
    y = alt.Y(
        "entry:N", sort=None, title=None, axis=alt.Axis(labelLimit=150, ticks=False, domain=False)
    )
    offset = alt.YOffset("series:N", sort=None)
    x = alt.X("mid:Q", title=x_title, axis=alt.Axis(format="~s", tickCount=5))
    shade = alt.Opacity(
        "series:O",
        sort=None,
        title=None,
        scale=alt.Scale(range=[0.4, 0.95]),
        legend=alt.Legend(
            orient="top", symbolType="square", symbolFillColor=GREY, columns=2, labelLimit=240
        ),
    )
    base = alt.Chart().encode(y=y, yOffset=offset)
    bars = base.mark_bar().encode(x=x, color=colour, opacity=shade, tooltip="mid:Q")
    ends = base.mark_rule(strokeWidth=1.5, color=GREY).encode(x=alt.X("low:Q"), x2="high:Q")
    layers = filtered(bars, ends)
    told = [("", "series"), ("median", "mid"), ("from", "low"), ("to", "high")]
    columns = {"rows": ["series", "mid", "low", "high"]}
    return layers.properties(usermeta={"told": told, "columns": columns})
