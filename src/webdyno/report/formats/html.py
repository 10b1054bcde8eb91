"""The HTML report: one file that needs nothing else, neither a network nor a server.

Server logs, error texts and manifests are untrusted: the templates escape everything, data for
the charts is text that no parser of HTML can end, and a content security policy lets only the
page's own two scripts run (by their hashes) and nothing be fetched.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from webdyno.generators.malformed import failure_in_words
from webdyno.printable import printable
from webdyno.report import metrics, numbers, pooled, summary, templating
from webdyno.report.charts import bars as bar_charts
from webdyno.report.charts import costs as cost_charts
from webdyno.report.charts import interactive as charts
from webdyno.report.charts import points as chart_points
from webdyno.report.charts import rates as rate_charts
from webdyno.report.charts import scripts, series
from webdyno.report.charts import usl as usl_charts
from webdyno.report.numbers import scale_for
from webdyno.report.ranking import AVERAGES, LEAD, Ranking
from webdyno.report.tables import (
    aggregate,
    bills,
    build_times,
    costs,
    endings,
    memory,
    parts,
    servers,
    time_spent,
    usl,
)
from webdyno.report.tables import claims as published_claims
from webdyno.report.tables import jmeter as jmeter_table
from webdyno.report.tables import methods as both_methods
from webdyno.report.tables import published as published_figures
from webdyno.report.tables import tools as tool_tables
from webdyno.report.text import answer_differences as unlike
from webdyno.report.text import (
    cautions,
    facts,
    headline,
    limits,
    loads,
    machine_blocks,
    sentences,
    setup,
)
from webdyno.words import duration, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webdyno.report.section import Section
    from webdyno.store.records import RunRecord, TrialRecord
    from webdyno.store.stored_study import PublishedFigure

LOG_BUDGET = 500_000
"""Characters of logs in one page, shared by its trials; the files hold the rest."""


@dataclass(frozen=True)
class SectionView:
    """A section with what its template needs beside it."""

    section: Section
    index: int
    title: str
    load: str
    fitted: str
    made: str
    one_threaded: list[str]
    open_load: bool
    endings: endings.Endings | None
    ranking: Ranking
    most: float
    kinds: tuple[str, ...]
    published: tuple[published_figures.PublishedTableShown, ...]


def render_html(run: RunRecord) -> str:
    """The report of `run` as one HTML page."""
    figures = published_figures.figures(run)
    sections = summary.sections(run)
    entries = list(dict.fromkeys(row.entry for section in sections for row in section.rows))
    points = [
        chart_points.of_section(section, entries, scheduled=loads.is_open(run, section.load))
        for section in sections
    ]
    both = both_methods.methods(run, sections, figures)
    beside = [] if both else figures  # Then they stand beside both methods, once.
    views = [
        _view(run, section, index, points[index], beside) for index, section in enumerate(sections)
    ]
    points += cost_charts.points(run, entries) + usl_charts.points(run, entries)
    bars, bars_place = bar_charts.views(run, entries), len(points)
    points += [bar.points for bar in bars]
    controls = [place for place, entry in enumerate(entries) if entry.endswith("(control)")]
    kinds = {kind for held in points for kind in held}
    with charts.without_checks():
        specs = charts.specifications(run, entries, kinds)
        specs |= cost_charts.specifications(run, entries)
    data = {
        "entries": entries,
        "hidden": controls,
        "specs": specs,
        "sections": points,
    }
    bundle = Markup(scripts.bundle()) if any(points) else Markup("")
    script = Markup(templating.asset("report.js"))
    return _environment().get_template("report.html.j2").render(
        run=run,
        log_room=LOG_BUDGET // max(1, len(run.trials)),
        answer=headline.opening(run),
        claims=published_claims.claims(run),
        cautions=cautions.cautions(run),
        controls=cautions.controls(run),
        sureness=facts.sureness(run),
        machine=facts.machine(run),
        noise=facts.noise(run),
        method=facts.method(run),
        block_speeds=machine_blocks.speeds(run),
        slow_blocks=machine_blocks.slow_said(run),
        spent=time_spent.time_spent(run),
        left_out=summary.left_out(run),
        overhead_s=time_spent.overhead_s(run),
        warm_ups=time_spent.warm_ups(run),
        views=views,
        aggregates=aggregate.views(run),
        aggregate_note=aggregate.NOTE,
        headings=jmeter_table.HEADINGS,
        tool_tables=tool_tables.tables(run),
        bills=bills.tables(run),
        builds=build_times.table(run),
        memory=memory.table(run),
        bars=bars,
        bars_place=bars_place,
        methods=both,
        costs=costs.views(run),
        usl=usl.views(run),
        servers=servers.rows(run),
        evenness=servers.evenness(run),
        parts=parts.table(run),
        unlike=unlike.difference_texts(run),
        unlike_verdict=unlike.verdict(run),
        entries=entries,
        data=data,
        bundle=bundle,
        script=script,
        style=Markup(templating.asset("style.css")),
        hashes=[_hash(text) for text in (bundle, script) if text],
    )  # fmt: skip


def _view(
    run: RunRecord,
    section: Section,
    index: int,
    points: Mapping[str, Any],
    figures: Sequence[PublishedFigure],
) -> SectionView:
    values = [row.medians.get(section.rate) or 0.0 for row in section.rows]
    tops = values + [row.interval[1] for row in section.rows if row.interval and section.by_rate]
    return SectionView(
        section=section,
        index=index,
        title=summary.scope(run, section.scenario, section.load),
        load=loads.describe(run, section.load),
        fitted=loads.fitted(run, section.scenario, section.load),
        made=setup.trial_setup(section),
        one_threaded=setup.one_threaded(run, section),
        endings=endings.endings(section),
        open_load=loads.is_open(run, section.load),
        ranking=Ranking.of(section, section.rows),
        # A wide interval must not make all bars short: it may run out of its cell instead.
        most=min(max(tops, default=0.0), 1.25 * max(values, default=0.0)),
        kinds=tuple(kind for kind in chart_points.OVER_TIME if kind in points),
        published=tuple(published_figures.tables(section, figures)),
    )


@functools.cache
def _environment() -> jinja2.Environment:
    """Made once: compiling the templates takes longer than a short run's report."""
    environment = templating.environment()
    environment.filters |= {
        "ratio": numbers.ratio,
        "interval": numbers.interval,
        "percent": numbers.percent,
        "duration": duration,
        "size": numbers.size,
        "listed": listed,
        "failure": lambda error: failure_in_words(error.kind, error.detail),
        "counted": numbers.counted,
        "metric": metrics.metric,
        "tail": _tail,
        "spark": _spark,
        "pretty": lambda value: json.dumps(value, indent=2, ensure_ascii=False, default=str),
        "data": _data,
        "link": _link,
        "limit": limits.word,
        "limits": limits.meanings,
    }
    environment.globals |= {
        "over_time": chart_points.OVER_TIME,
        "against_rate": rate_charts.AGAINST_RATE,
        "bar_kinds": bar_charts.KINDS,
        "dashes": charts.DASHES,
        "shapes": charts.SHAPES,
        "find_ratio": pooled.find_ratio,
        "rate_of": pooled.rate_of,
        "sentence": sentences.sentence,
        "tie_words": sentences.tie_words,
        "scale_for": scale_for,
        "LEAD": LEAD,
        "averages": AVERAGES,
    }
    return environment


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _data(value: Any) -> Markup:
    """JSON that cannot end its script element, whatever the text in it."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _tail(text: str, trial: TrialRecord, room: int) -> str:
    """The end of a log without terminal codes, about `room` characters of it; more where the trial
    did not go well."""
    clean = printable(text).strip("\n")
    limit = max(400, min(room, 2_000 if trial.status == "ok" else 8_000))
    return clean if len(clean) <= limit else "…" + clean[-limit:].partition("\n")[2]


def _link(path: str) -> str:
    """`path` where it may be a link: a plain relative path, which no scheme can hide in."""
    plain = re.fullmatch(r"[\w@+,=() -][\w@+,=(). /-]*", path)
    return path if plain and ".." not in path else ""


def _spark(trial: TrialRecord) -> str:
    """The points of a polyline, 100 wide and 20 high, of the trial's throughput over time."""
    values = series.spark(trial.measurement) if trial.measurement is not None else []
    if len(values) < 2:
        return ""
    top = max(values) or 1.0
    step = 100 / (len(values) - 1)
    return " ".join(f"{i * step:.0f},{19 - 18 * v / top:.1f}" for i, v in enumerate(values))
