"""Figures somebody published beside ours, as ratios: their machine was not this one.

They are those of the study's file of published figures, or single ones of the study itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pydantic import ValidationError

from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.terms import printed
from webdyno.report import metrics
from webdyno.report.numbers import MISSING, ratio, scale_for, with_interval
from webdyno.report.pooled import find_ratio
from webdyno.report.section import EntryRow, Section
from webdyno.store.stored_study import PublishedFigure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webdyno.store.records import RunRecord

_METRICS = {
    "throughput": "throughput_rps",
    "median": "p50_us",
    "p99": "p99_us",
    "memory": "memory_peak_bytes",
}
_WIDE = 20.0
"""Ends of an interval this many times apart: nothing that lies within it is shown to agree."""
_OF_STATEMENTS = {"memory": "memory_peak_bytes", "cpu": "cpu_us_per_request"}


@dataclass(frozen=True)
class PublishedRowShown:
    """One published figure: its value, and both ratios to the same reference entry."""

    entry: str
    value: str
    theirs: str
    ours: str
    agrees: bool | None
    """Whether the published ratio lies in our interval; None where we have none, or where it holds
    the ratio only because it is wide, or load or work differ from the published one."""
    note: str


@dataclass(frozen=True)
class PublishedTableShown:
    """The published figures of one section and metric, against `reference`."""

    metric: str
    """Its title."""
    key: str
    ratio: bool
    """Whether ratios are all that was published of it."""
    reference: str
    rows: tuple[PublishedRowShown, ...]
    unlike: str
    """Why ratios are not judged under the section's load: how load or work differ from the
    published one, with the servers where this is not said of all; empty where nothing differs."""


def manifest(run: RunRecord) -> PublishedManifest | None:
    """The file of published figures that the run's study named; None where it named none."""
    held = run.study.published
    if not isinstance(held, dict):
        return None
    try:
        return PublishedManifest.model_validate(held)
    except ValidationError:
        return None  # Of another version: the run's own figures are shown all the same.


def figures(run: RunRecord) -> list[PublishedFigure]:
    """Published figures of entries that the run's study names."""
    held, found = run.study.published, manifest(run)
    if found is None:
        return held if isinstance(held, list) else []
    return [*_of_tables(found), *_of_statements(found)]


def _of_tables(published: PublishedManifest) -> Iterator[PublishedFigure]:
    for table in published.tables:
        for row in table.rows:
            if not row.server or not table.scenario:
                continue
            figure = partial(
                PublishedFigure,
                server=row.server,
                scenario=table.scenario,
                load=table.beside,
                unlike=table.unlike,
                note=row.note,
            )
            for key, metric in _METRICS.items():
                if (one := table.figure(row, key)) is not None:
                    scale = 1e6 if metric.endswith("_us") else 1.0
                    yield figure(metric=metric, value=one.value * scale)
            cores = table.figure(row, "cpu_cores")
            rate = table.figure(row, "at_rate") or table.figure(row, "throughput")
            if cores and rate and rate.value:
                spent = 1e6 * cores.value / rate.value
                yield figure(metric="cpu_us_per_request", value=spent)
            late, count = table.figure(row, "timeouts"), table.figure(row, "samples")
            if late and count and count.value and table.load.kind == "open":
                share = late.value / count.value
                yield figure(metric="timed_out_share", value=share)


def _of_statements(published: PublishedManifest) -> Iterator[PublishedFigure]:
    """Of what was published as a ratio alone."""
    for statement in published.statements:
        table, metric = published.table(statement.table), _OF_STATEMENTS.get(statement.metric)
        of = table.named(statement.of) if table else None
        to = table.named(statement.to) if table else None
        if metric is None or table is None or of is None or to is None or not statement.times:
            continue
        said = f"{statement.says}; {statement.note}" if statement.note else statement.says
        figure = partial(
            PublishedFigure,
            scenario=table.scenario,
            load=table.beside,
            unlike=table.unlike,
            metric=metric,
            ratio=True,
        )
        yield figure(server=to.server, value=1.0)
        times = printed.figure(statement.times, "number").value
        yield figure(server=of.server, value=times, note=said)


def tables(section: Section, figures: Sequence[PublishedFigure]) -> list[PublishedTableShown]:
    """The published figures that belong to `section`, one table a metric.

    What was published as ratios alone has a table of its own. The reference is the first published
    entry that we measured too, else the first.
    """
    mine = [
        figure
        for figure in figures
        if figure.scenario == section.scenario and figure.load in ("", section.load)
    ]
    kinds: dict[tuple[str, bool], list[PublishedFigure]] = {}
    for figure in mine:
        kinds.setdefault((figure.metric, figure.ratio), []).append(figure)
    return [_table(section, name, of_kind) for (name, _), of_kind in kinds.items()]


def _table(section: Section, name: str, figures: list[PublishedFigure]) -> PublishedTableShown:
    measured = {row.entry: _measured(row, name) for row in section.rows}
    known = [figure for figure in figures if measured.get(figure.server)]
    reference = (known or figures)[0]
    scale = scale_for(metrics.metric(name).kind, [figure.value for figure in figures])
    is_share = metrics.metric(name).kind == "share"
    # Every ratio is to the reference: what differs for the reference differs for all.
    base = reference.unlike.get(section.load, "")
    unlike = [
        tuple(dict.fromkeys(filter(None, (base, figure.unlike.get(section.load)))))
        for figure in figures
    ]
    rows = []
    for figure, why in zip(figures, unlike, strict=True):
        if is_share:
            # A share needs no ratio: it says the same on every machine.
            ours_share = measured.get(figure.server)
            told = "not measured here" if ours_share is None else scale.with_unit(ours_share)
            text = scale.with_unit(figure.value)
            rows.append(PublishedRowShown(figure.server, text, MISSING, told, None, figure.note))
            continue
        theirs = figure.value / reference.value if reference.value else float("nan")
        ours, agrees = _ours(section, name, measured, figure.server, reference.server, theirs)
        rows.append(
            PublishedRowShown(
                entry=figure.server,
                value=MISSING if figure.ratio else scale.with_unit(figure.value),
                theirs=ratio(theirs),
                ours=ours,
                agrees=None if why else agrees,
                note=figure.note,
            )
        )
    return PublishedTableShown(
        metric=metrics.metric(name).title,
        key=name,
        ratio=reference.ratio,
        reference=reference.server,
        rows=tuple(rows),
        unlike=_unlike([figure.server for figure in figures], unlike),
    )


def _unlike(servers: Sequence[str], reasons: Sequence[Sequence[str]]) -> str:
    """What is unlike of any figure, each with the servers if it is not that of all figures."""
    of: dict[str, list[str]] = {}
    for server, mine in zip(servers, reasons, strict=True):
        for reason in mine:
            of.setdefault(reason, []).append(server)
    return "; ".join(
        reason if len(those) == len(servers) else f"{reason} ({', '.join(dict.fromkeys(those))})"
        for reason, those in of.items()
    )


def _measured(row: EntryRow, name: str) -> float | None:
    if name != "timed_out_share" or row.disqualified:
        return row.medians.get(name)
    # Of every trial: those with most time-outs do not count for anything else.
    counts = [t.measurement.counts for t in row.trials if t.measurement is not None]
    offered = sum(count.offered for count in counts)
    return sum(count.timed_out for count in counts) / offered if offered else None


def _ours(
    section: Section,
    name: str,
    measured: Mapping[str, float | None],
    entry: str,
    reference: str,
    theirs: float,
) -> tuple[str, bool | None]:
    value, base = measured.get(entry), measured.get(reference)
    if not value or not base:
        return "not measured here", None
    if entry == reference:
        return ratio(1.0), None
    for verdict in (section.verdict, *section.others):
        if verdict is None or verdict.metric != name:
            continue
        # A verdict tells how much better: of what is better the less it is, the reciprocal.
        both = (entry, reference) if verdict.higher_is_better else (reference, entry)
        pair = find_ratio(verdict, *both)
        if pair is not None:
            text = with_interval(pair.estimate, pair.low, pair.high)
            return text, _agrees(theirs, pair.low, pair.high)
    return ratio(value / base), None


def _agrees(theirs: float, low: float, high: float) -> bool | None:
    if math.isnan(theirs):
        return None
    if low <= theirs <= high:
        return None if wide(low, high) else True
    return False


def wide(low: float, high: float) -> bool:
    """Whether an interval of ratios is so wide that it holds nearly every ratio."""
    return not (low > 0 and math.isfinite(high) and high / low <= _WIDE)
