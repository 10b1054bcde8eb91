"""The published table at the head of a report: what of it holds, what fails, what nobody can tell.

Against arithmetic always, and against the run where it has measured both servers of a statement.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.catalog.terms.printed import figure
from webdyno.claims import Finding, concluded, examine
from webdyno.claims.finding import share
from webdyno.report import pooled, summary
from webdyno.report.numbers import MISSING, counted, with_interval
from webdyno.report.tables import figures, published

if TYPE_CHECKING:
    from webdyno.catalog.studies.published import PublishedManifest
    from webdyno.catalog.studies.published_statement import Statement
    from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
    from webdyno.store.records import RunRecord

_METRICS = {
    "throughput": "throughput_rps",
    "memory": "memory_peak_bytes",
    "cpu": "cpu_us_per_request",
    "cost": "capacity_rps",
}
_ALIKE = 1.1
"""A statement of no more than this ratio says that two are about the same."""
_APART = 1.25
"""What the interval of two that are about the same must exclude."""
_WORDS = {"contradicts": "fails", "untold": "undecided", "holds": "holds"}


@dataclass(frozen=True)
class TableView:
    """A published table: `rows` are cells under `headings`, the first the label; `other` are rows
    of what else was printed, under `other_headings`."""

    title: str
    load: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    other_headings: tuple[str, ...]
    other: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class StatementView:
    """What is said, what the published figures make of it, and what this run does."""

    says: str
    by_figures: str
    reason: str
    here: str


@dataclass(frozen=True)
class ClaimsView:
    """Everything that is said of the published figures; `name` is that of their file."""

    name: str
    source: str
    tables: tuple[TableView, ...]
    fails: tuple[Finding, ...]
    untold: tuple[Finding, ...]
    holds: tuple[Finding, ...]
    statements: tuple[StatementView, ...]


def claims(run: RunRecord) -> ClaimsView | None:
    """What is said of the published figures of the run's study; None where it names none.

    The least that work costs is that of the fastest processor known: a report says the same
    wherever it is made.
    """
    manifest = published.manifest(run)
    if manifest is None:
        return None
    found = [one for one in examine(manifest) if one.check != "statement"]
    of = {kind: tuple(one for one in found if one.outcome == kind) for kind in _WORDS}
    return ClaimsView(
        name=manifest.name,
        source=manifest.source,
        tables=tuple(_table(table) for table in manifest.tables if _printed(table)),
        fails=of["contradicts"],
        untold=of["untold"],
        holds=of["holds"],
        statements=tuple(
            _statement(run, manifest, said, one)
            for said, one in zip(manifest.statements, concluded(manifest, found), strict=True)
        ),
    )


def lines(run: RunRecord) -> Iterable[str]:
    """The same in a line each, without what holds."""
    view = claims(run)
    if view is None:
        return
    for one in view.fails:
        yield f"Fails ({one.sureness}): {one.sentence}"
    for told in view.statements:
        here = f" Here: {told.here}." if told.here != MISSING else ""
        yield f"“{told.says}” {told.by_figures}: {told.reason}.{here}"


def brief(run: RunRecord) -> str:
    """How many checks the published figures fail; empty where the study names none."""
    view = claims(run)
    if view is None:
        return ""
    fails = len(view.fails) + sum(one.by_figures == "fails" for one in view.statements)
    what = counted(fails, "contradiction") if fails else "no contradiction"
    return f"{what} in the published figures; `webdyno claims {view.name}` shows the checks"


def _printed(table: PublishedTable) -> bool:
    return bool(figures.printed(table, [*figures.MAIN, *figures.OTHER]))


def _table(table: PublishedTable) -> TableView:
    headings, rows = _rows(table, figures.MAIN)
    other_headings, other = _rows(table, figures.OTHER)
    return TableView(
        title=table.name,
        load=table.load.command or _load(table),
        headings=headings,
        rows=rows,
        other_headings=other_headings,
        other=other,
    )


def _rows(
    table: PublishedTable, names: dict[str, str]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Headings and rows of the figures in `names` that were printed, of any row."""
    keys = figures.printed(table, names)
    shown = [row for row in table.rows if any(getattr(row, key) is not None for key in keys)]
    return ("Server", *(names[key] for key in keys)), tuple(_cells(row, keys) for row in shown)


def _cells(row: PublishedRow, keys: list[str]) -> tuple[str, ...]:
    return (row.label or "no name", *(str(getattr(row, key) or MISSING) for key in keys))


def _load(table: PublishedTable) -> str:
    load = table.load
    if load.kind == "iterations":
        what = f"{load.users} users × {load.iterations} requests"
    elif load.kind == "open":
        what = ", then ".join(load.phases)
    else:
        what = f"{load.connections} connections"
    return f"{load.tool}, {what}" if load.tool else what


def _statement(
    run: RunRecord, manifest: PublishedManifest, statement: Statement, finding: Finding
) -> StatementView:
    reason = finding.sentence.rpartition("”: ")[2].rstrip(".")
    here = _here(run, manifest, statement)
    return StatementView(statement.says.rstrip("."), _WORDS[finding.outcome], reason, here)


def _here(run: RunRecord, manifest: PublishedManifest, statement: Statement) -> str:
    """What each load of this run says of the statement."""
    table = manifest.table(statement.table)
    of = table.named(statement.of) if table else None
    to = table.named(statement.to) if table else None
    if table is None or of is None or to is None or not of.server or not to.server:
        return MISSING
    texts = []
    for section in summary.sections(run):
        if section.scenario != table.scenario or table.beside not in ("", section.load):
            continue
        for verdict in run.verdicts:
            same = verdict.cell == (section.scenario, section.load)
            if same and verdict.metric == _METRICS.get(statement.metric):
                pair = pooled.find_ratio(verdict, of.server, to.server)
                if pair is not None:
                    # A ratio of a verdict says how many times better the first is.
                    # What carries more costs less.
                    up = verdict.higher_is_better and statement.metric != "cost"
                    ends = (pair.low, pair.high) if up else _turned(pair.low, pair.high)
                    estimate = pair.estimate if up else _inverse(pair.estimate)
                    told = with_interval(estimate, *ends)
                    if statement.saves:
                        told = _saved(estimate, *ends)
                    if unlike := table.unlike.get(section.load):
                        texts.append(f"not judged, {told} ({section.load}: {unlike})")
                        continue
                    word = _judged(statement, ends[0], ends[1])
                    texts.append(f"{word}, {told} ({section.load})")
    return "; ".join(texts) or MISSING


def _saved(estimate: float, low: float, high: float) -> str:
    """`saves 65% [58%, 71%]` of the other one's cost; below 0 it costs more."""
    ends = f"[{share(1 - high)}, {share(1 - low)}]" if high < float("inf") else "[unknown]"
    return f"saves {share(1 - estimate)} {ends}"


def _inverse(value: float) -> float:
    return 1 / value if value else float("inf")


def _turned(low: float, high: float) -> tuple[float, float]:
    return _inverse(high), _inverse(low)


def _judged(statement: Statement, low: float, high: float) -> str:
    if statement.times or statement.more or statement.saves:
        text = statement.times or statement.more or statement.saves or "1"
        one = figure(text, "number" if statement.times else "share")
        target = 1 - one.value if statement.saves else one.value + (1 if statement.more else 0)
        if low <= target <= high:
            return "holds" if _shows(target, low, high) else "undecided"
        same_way = (low > 1 and target > 1) or (high < 1 and target < 1)
        return "holds in kind, not in size" if same_way else _unless_wide(low, high)
    # Lower is better for all but throughput, and its ratio is then below 1.
    better, worse = (low > 1, high < 1) if statement.metric == "throughput" else (high < 1, low > 1)
    return "holds" if better else "fails" if worse else "undecided"


def _shows(target: float, low: float, high: float) -> bool:
    """Whether an interval that holds the stated ratio is narrow enough to bear it out.

    It must have both ends, and exclude that the two are equal; or, where the statement is that they
    are, that they are far apart. An interval of one block holds every ratio.
    """
    if low <= 0 or not math.isfinite(high):
        return False
    if 1 / _ALIKE <= target <= _ALIKE:
        return low > 1 / _APART and high < _APART
    return not low <= 1 <= high


def _unless_wide(low: float, high: float) -> str:
    return "undecided" if low <= 1 <= high else "fails"
