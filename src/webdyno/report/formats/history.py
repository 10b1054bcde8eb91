"""The history of a study, for a terminal, and as one HTML page without scripts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rich.console import Console

from webdyno.catalog.terms.metric import METRICS
from webdyno.report import metrics, templating
from webdyno.report.layout import KEPT, Column, say, table
from webdyno.report.numbers import Scale, counted, scale_for
from webdyno.run.comparison.history_document import MACHINE

if TYPE_CHECKING:
    from webdyno.run.comparison.history_document import History, HistoryChange, PlaceHistory, Point

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH, _HEIGHT = 560, 90

RUNS_NEEDED = 10
"""With a figure of a place: in fewer, any order of two levels is too likely by chance."""

SPEED = "Speed"
"""What the figures of the machine are: the sentinel's rate, or, beside CPU time, what it answers in
a second of that; the higher, the faster."""

MOST_NAMED = 4
"""More places than these are counted."""


def show(history: History, console: Console | None = None) -> None:
    """Print the history: a line a series, then every change."""
    console = console or Console()
    say(console, f"{history.study}: {_title(history)} over {counted(len(history.runs), 'run')}")
    columns = [
        Column("server", names=True),
        Column("scenario", names=True),
        Column("load", names=True),
        Column("runs", right=True),
        Column("first", right=True),
        Column("latest", right=True),
        Column("trend"),
    ]
    rows = []
    for place in history.places:
        known = _known(place)
        scale = _scale(history, place)
        ends = [level(scale, point) for point in (known[0], known[-1])] if known else ["", ""]
        spark = _spark(place).replace(" ", KEPT)
        rows.append([place.entry, place.scenario, place.load, str(len(known)), *ends, spark])
    console.print(table(columns, rows, console.width))
    for line in lines(history):
        say(console, line)


def level(scale: Scale, point: Point) -> str:
    """A run's level; `≥ 1,000` for the most that was tried, of a server that may do more."""
    return f"≥ {scale.text(point.value)}" if point.at_least else scale.text(point.value)


def lines(history: History) -> list[str]:
    """Every change, and what a reader has to know."""
    texts = [
        f"changed: {_name(place)}: {_word(change, _up(place, history))}"
        for place in history.places
        for change in place.changes
    ]
    if not history.judges_something:
        texts.append("nothing to judge: no server has a usable trial")
    else:
        texts = texts or ["no change was found"]
        if (runs := len(history.runs)) < RUNS_NEEDED:
            few = "run is" if runs == 1 else "runs are"
            texts.append(f"{runs} {few} too few to find one; ten are needed")
        elif thin := [_name(one) for one in history.places if len(_known(one)) < RUNS_NEEDED]:
            more = [f"{len(thin) - MOST_NAMED} more"] if len(thin) > MOST_NAMED else []
            named = "; ".join([*thin[:MOST_NAMED], *more])
            texts.append(f"too few runs to find a change, ten are needed: {named}")
    if any(point.at_least for place in history.places for point in place.points):
        texts.append(
            "≥: the highest rate that was tried; the server may do more, so a fall from it or a "
            "rise to it is at least as large as shown, and a rise from it or a fall to it may not "
            "be real"
        )
    if history.reference:
        texts.append(
            f"changes in the machine's own speed are removed, as measured by {history.reference}, "
            "which is the same in all runs"
        )
    if history.calibrated:
        texts.append("changes in the machine's own speed are removed, as measured by the sentinel")
    elif not history.reference:
        texts.append("changes in the machine's own speed are not removed")
    texts.append("a run's figure is the geometric mean of its trials")
    texts += [f"left out: {reason}" for reason in history.left_out]
    return [*texts, *history.gaps]


def render_html(history: History) -> str:
    """One page: a curve a series, its changes marked and explained."""
    title = _title(history)
    return (
        templating.environment()
        .get_template("history.html.j2")
        .render(
            history=history,
            title=title,
            over=counted(len(history.runs), "run"),
            style=templating.asset("style.css"),
            curves=[_curve(place) for place in history.places],
            heading=lambda place: SPEED if place.entry == MACHINE else title,
            level=lambda place, point: level(_scale(history, place), point),
            word=lambda change, place: _word(change, _up(place, history)),
            notes=lines(history),
            width=_WIDTH,
            height=_HEIGHT,
        )
    )


def _title(history: History) -> str:
    """The metric with its unit, as all of its figures are shown."""
    unit = _scale(history).unit
    return metrics.metric(history.metric).title + (f" ({unit})" if unit else "")


def _scale(history: History, place: PlaceHistory | None = None) -> Scale:
    """How the figures of all servers are shown; of the machine's `place`, its own have no unit."""
    if place is not None and place.entry == MACHINE:
        return scale_for("count", (point.value for point in place.points))
    servers = (one for one in history.places if one.entry != MACHINE)
    kind = metrics.metric(history.metric).kind
    return scale_for(kind, (point.value for one in servers for point in one.points))


def _known(place: PlaceHistory) -> list[Point]:
    return [point for point in place.points if point.value is not None]


def _name(place: PlaceHistory) -> str:
    return ", ".join(filter(None, (place.entry, place.scenario, place.load)))


def _up(place: PlaceHistory, history: History) -> bool:
    """Whether a higher figure is the better one: that of the machine is its speed."""
    return place.entry == MACHINE or METRICS[history.metric].higher_is_better


def _word(change: HistoryChange, up: bool) -> str:
    """Such as `rose by 4.1% [2.9, 5.4] (worse) between abc1234567 and def1234567`: the figure
    itself rises or falls, where a higher one is better (`up`) as where it is worse."""
    ends = [change.ratio, change.low, change.high]
    if not up:
        ends = [1 / change.ratio, 1 / change.high, 1 / change.low]
    size, low, high = (100 * (end - 1) for end in ends)
    rose = size > 0
    if not rose:
        size, low, high = -size, -high, -low
    said = f"{'rose' if rose else 'fell'} by {size:.1f}% [{low:.1f}, {high:.1f}]"
    said += f" ({'better' if change.better else 'worse'}) between {_between(change)}"
    return said + (f"; {change.differs}" if change.differs else "")


def _between(change: HistoryChange) -> str:
    """The commits, where both are recorded and differ, and the runs."""
    old, new = change.commits
    runs = f"runs {change.after} and {change.upto}"
    return f"{old[:10]} and {new[:10]} ({runs})" if old and new and old != new else runs


def _spark(place: PlaceHistory) -> str:
    """A character a run; a bar before each change."""
    top = max((point.value or 0.0 for point in place.points), default=0.0)
    marks = {change.index for change in place.changes}
    text = ""
    for index, point in enumerate(place.points):
        text += "|" if index in marks else ""
        if point.value is None:
            text += " "
        else:
            text += _BARS[min(7, int(8 * point.value / top))] if top else _BARS[0]
    return text


def _curve(place: PlaceHistory) -> dict[str, Any]:
    """Points and change lines of a picture `_WIDTH` by `_HEIGHT`, from zero up."""
    top = max((p.value for p in place.points if p.value is not None), default=1.0) * 1.05
    step = _WIDTH / max(1, len(place.points) - 1)

    def at(index: int, point: Point) -> tuple[float, float] | None:
        if point.value is None or not math.isfinite(point.value):
            return None
        return round(index * step, 1), round(_HEIGHT * (1 - point.value / top), 1)

    found = [at(index, point) for index, point in enumerate(place.points)]
    return {
        "points": [xy for xy in found if xy is not None],
        "marks": [round((change.index - 0.5) * step, 1) for change in place.changes],
        "top": top,
    }
