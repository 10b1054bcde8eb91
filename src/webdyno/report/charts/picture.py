"""A picture of a report's ranking: an SVG that follows the reader's light or dark theme.

It is a template of ours, although the chart library exports SVG too: that writes each colour into
its shapes, so a picture keeps one theme wherever it is shown, and it knows no brackets of ties and
no lines of text above a chart.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report import summary, templating
from webdyno.report.numbers import counted, scale_for
from webdyno.report.text import headline as headlines
from webdyno.report.text import loads
from webdyno.words import duration

if TYPE_CHECKING:
    from webdyno.report.section import EntryRow, Section
    from webdyno.store.records import RunRecord

WIDTH = 880
LEFT, BAR = 250, 340
"""Where the bars begin, and the length of the longest."""


@dataclass(frozen=True)
class Bar:
    """One row of the picture, in its coordinates."""

    y: int
    row: EntryRow
    name: str
    place: str
    mid: float
    low: float
    high: float
    figure: str
    behind: str


@dataclass(frozen=True)
class Panel:
    """One section of the picture; `ties` are the (top, bottom) of the groups of equals, `few` is
    why there is no ranking, told once: it is too long for a row."""

    y: int
    title: str
    bars: tuple[Bar, ...]
    ties: tuple[tuple[int, int], ...]
    few: str


def render_picture(run: RunRecord, *, sections: int | None = None) -> str:
    """Draw the ranking of `run`; `sections` is how many of its sections at most (all if None)."""
    said = headlines.opening(run)
    headline = textwrap.wrap(said.headline, 62)
    question = textwrap.wrap(run.study.question, 100)
    y = 60 + 20 * len(question) + 30 * len(headline)
    panels = []
    for section in summary.sections(run)[:sections]:
        panel, y = _panel(run, section, y)
        panels.append(panel)
    return (
        templating.environment()
        .get_template("picture.svg.j2")
        .render(
            width=WIDTH,
            height=y + 34,
            left=LEFT,
            question=question,
            headline=headline,
            panels=panels,
            footer=_footer(run),
            title=said.headline,
        )
    )


def _panel(run: RunRecord, section: Section, y: int) -> tuple[Panel, int]:
    load = loads.brief(run, section.scenario, section.load)
    scope = summary.scope(run, section.scenario, section.load)
    rows = [row for row in section.rows if not row.control]
    rate = scale_for("rate", [row.medians.get(section.rate) for row in rows])
    by_rate = section.by_rate
    values = [row.medians.get(section.rate) or 0.0 for row in rows]
    tops = values + [row.interval[1] for row in rows if row.interval and by_rate]
    # A wide interval must not make all bars short: it may run out of the picture instead.
    most = min(max(tops, default=0.0), 1.25 * max(values, default=0.0)) or 1.0
    bars = []
    at = y + 46
    for row in rows:
        value = row.medians.get(section.rate)
        if value is None:
            continue
        low, high = row.interval if row.interval and by_rate else (value, value)
        bars.append(
            Bar(
                y=at,
                row=row,
                name=textwrap.shorten(row.entry, 24, placeholder="…"),
                place=row.place,
                mid=value / most * BAR,
                low=low / most * BAR,
                high=min(high / most, 1.0) * BAR,
                figure=row.rate_text(rate, section.rate, unit=True),
                behind=_behind(row),
            )
        )
        at += 28
    ties = []
    for group in section.groups:
        places = [bar.y for bar in bars if bar.row in group]
        if len(places) > 1:
            ties.append((places[0], places[-1]))
    title = f"{scope}, {load}" if load else scope
    return Panel(y, title, tuple(bars), tuple(ties), section.few), at + 8


def _behind(row: EntryRow) -> str:
    if row.rank is not None:
        return row.standing
    if row.warming or row.disqualified:
        return row.standing
    if row.few:
        return ""
    return row.limit if row.limit == "generator-bound" else "not ranked"


def _footer(run: RunRecord) -> str:
    blocks = len({trial.block for trial in run.trials})
    took = "" if run.took_s is None else duration(run.took_s)
    parts = [counted(blocks, "block"), took, run.machine.cpu_model, run.command]
    return "  ·  ".join(part for part in parts if part)
