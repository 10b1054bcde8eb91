"""Latency against the rate of arrivals: every step of every search, and what they found.

A line an entry through the middle of its steps, a filled mark for each step that held the
objective and a cross for each that did not, the objective as a line across, and the capacity that
was found as a band.
"""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, Any

import altair as alt

from webdyno.report.charts.legend import hideable, shown
from webdyno.report.numbers import four_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from webdyno.report.section import EntryRow, Section
    from webdyno.store.search import SearchRecord, SearchStep

SAME_RATE = math.log(1.04)
"""Steps whose rates differ by less are put together in the line."""

LEAST_SHARE = 0.01
"""Percent below which a share of late requests is drawn as if it were this: the axis is in tens."""


def _milliseconds(us: float | None) -> float | None:
    return None if us is None else us / 1000


AGAINST_RATE: dict[str, tuple[str, str, Callable[[SearchStep], float | None]]] = {
    "rate-tail": (
        "At the quantile",
        "latency at the objective's quantile, ms",
        lambda step: _milliseconds(step.quantile_us),
    ),
    "rate-p50": ("p50", "median latency, ms", lambda step: _milliseconds(step.p50_us)),
    "rate-late": (
        "Late or failed",
        "late or failed, % of the requests",
        lambda step: max(LEAST_SHARE, step.late_share * 100),
    ),
}
"""Kind: (tab, y axis, value of a step)."""


def points(section: Section, entries: Sequence[str]) -> dict[str, dict[str, list[list[Any]]]]:
    """The points of each kind in `section`; nothing where no trial searched."""
    found: dict[str, dict[str, list[list[Any]]]] = {}
    for kind, (_, _, value) in AGAINST_RATE.items():
        rows: list[list[Any]] = []
        held: list[list[Any]] = []
        failed: list[list[Any]] = []
        band: list[list[Any]] = []
        for row in section.charted:
            place = entries.index(row.entry)
            steps = [(s, y) for s in _steps(row) if (y := value(s)) is not None]
            if not steps:
                continue
            rows.append([place, *_columns(_middle([(s.rate_rps, y) for s, y in steps]))])
            for outcomes, into in ((("held",), held), (("failed", "unheld"), failed)):
                marks = [(s.rate_rps, y) for s, y in steps if s.outcome in outcomes]
                if marks:
                    into.append([place, *_columns(marks)])
            if ends := _band(row):
                band.append([place, [four_digits(ends[0])], [four_digits(ends[1])]])
        if rows:
            limits = [[0, [four_digits(y)]] for y in _limit(kind, section)]
            found[kind] = {"rows": rows, "held": held, "failed": failed, "band": band}
            found[kind]["limit"] = limits
    return found


def specifications(
    kinds: Collection[str], colour: alt.Color, dash: alt.StrokeDash, shape: alt.Shape
) -> dict[str, alt.LayerChart]:
    """The chart of each of `kinds`, in the encodings that all charts of the page share."""
    return {
        kind: _chart(y_title, colour, dash, shape)
        for kind, (_, y_title, _) in AGAINST_RATE.items()
        if kind in kinds
    }


def _chart(
    y_title: str, colour: alt.Color, dash: alt.StrokeDash, shape: alt.Shape
) -> alt.LayerChart:
    log = alt.Scale(type="log", nice=False)
    x = alt.X(
        "x:Q",
        title="requests asked for per second",
        scale=log,
        axis=alt.Axis(format="~s", grid=False),
    )
    ticks = [float(f"{digit}e{power}") for power in range(-3, 6) for digit in (1, 2, 5)]
    y = alt.Y("y:Q", title=y_title, scale=log, axis=alt.Axis(values=ticks, format="~r"))

    # Across the whole height: a rectangle without y covers the view.
    band = shown("band").mark_rect(opacity=0.18).encode(x=alt.X("low:Q"), x2="high:Q", color=colour)
    limit = alt.Chart(alt.NamedData("limit")).mark_rule(strokeDash=[2, 3], strokeWidth=1.5)
    line = shown("rows").mark_line(strokeWidth=2, opacity=0.75)
    held = shown("held").mark_point(filled=True, size=45, opacity=0.9)
    failed = shown("failed").mark_point(filled=False, size=45, opacity=0.9, shape="cross")
    chart = alt.LayerChart(
        layer=[
            band,
            limit.encode(y="y:Q"),
            line.encode(x=x, y=y, color=colour, strokeDash=dash),
            held.encode(x=x, y=y, color=colour, shape=shape, tooltip="y:Q"),
            failed.encode(x=x, y=y, color=colour, tooltip="y:Q"),
        ]
    )
    told = [("asked, req/s", "x"), (y_title, "y"), ("capacity from", "low"), ("to", "high")]
    columns = {"band": ["low", "high"], "limit": ["y"]}
    return hideable(chart).properties(usermeta={"told": told, "columns": columns})


def _searches(row: EntryRow) -> list[SearchRecord]:
    return [trial.search for trial in row.trials if trial.search is not None]


def _steps(row: EntryRow) -> list[SearchStep]:
    return [step for found in _searches(row) for step in found.steps]


def _band(row: EntryRow) -> tuple[float, float] | None:
    """The verdict's interval; of a single trial, its own."""
    searches = [one for one in _searches(row) if one.capacity_rps > 0]
    if not searches:
        return None
    low, high = row.interval or (searches[0].low_rps, searches[0].high_rps)
    return (low, high) if 0 < low < high < math.inf else None


def _limit(kind: str, section: Section) -> list[float]:
    """Where the objective's line lies on the y axis; the median has none."""
    search = next((one for row in section.charted for one in _searches(row)), None)
    if search is None or kind == "rate-p50":
        return []
    return [search.limit_s * 1000 if kind == "rate-tail" else (1 - search.quantile) * 100]


def _middle(steps: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """One point for all steps of about the same rate: their medians."""
    groups: list[list[tuple[float, float]]] = []
    for rate, value in sorted(steps):
        if groups and math.log(rate / groups[-1][0][0]) < SAME_RATE:
            groups[-1].append((rate, value))
        else:
            groups.append([(rate, value)])
    return [
        (statistics.median(x for x, _ in group), statistics.median(y for _, y in group))
        for group in groups
    ]


def _columns(marks: list[tuple[float, float]]) -> list[list[float]]:
    return [[four_digits(x) for x, _ in marks], [four_digits(y) for _, y in marks]]
