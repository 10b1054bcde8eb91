"""A short summary in Markdown, for a pull request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webdyno.printable import without_mentions
from webdyno.report import summary
from webdyno.report.numbers import MISSING
from webdyno.report.ranking import AVERAGES, Ranking
from webdyno.report.tables import build_times, claims, parts
from webdyno.report.text import answer_differences as unlike
from webdyno.report.text import cautions, facts, headline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webdyno.report.section import EntryRow, Section
    from webdyno.store.records import RunRecord
    from webdyno.store.unmeasured_cell import UnmeasuredCell


def render_markdown(run: RunRecord) -> str:
    """The answer, how sure it is, and a ranked table a section."""
    opening = headline.opening(run)
    study = run.study
    lines = [f"## {_text(study.title or study.name or run.id)}", ""]
    if study.question:
        lines += [_text(study.question), ""]
    lines += [f"**{_text(opening.headline)}**", ""]
    lines += [" ".join(map(_text, opening.rest)), ""] if opening.rest else []
    lines += [f"- **{_text(name)}**: {_text(text)}" for name, text in opening.parts]
    lines += [""] if opening.parts else []
    lines += [f"> **Caution:** {_text(text)}\n" for text in cautions.cautions(run)]
    lines += _claims(run)
    for section in summary.sections(run):
        lines += [f"### {_text(summary.scope(run, section.scenario, section.load))}", ""]
        lines += [*_table(section), ""]
        lines += [f"Not ranked: {section.few}.", ""] if section.few else []
    lines += [f"Figures are {AVERAGES}.", ""] if run.trials else []
    lines += _parts(run)
    lines += _unlike(run)
    lines += _review(run)
    lines += _build_times(run)
    if left_out := summary.left_out(run):
        lines += [f"- Left out: {_text(left.server)} ({_text(left.reason)})" for left in left_out]
        lines.append("")
    sure = "; ".join(f"{fact.label} {fact.value}" for fact in facts.sureness(run))
    lines += [f"{_text(sure)}. {facts.summary_line(run)}.", ""]
    lines += [f"Repeat it: {_code(run.command)}", ""]
    return "\n".join(lines)


def _claims(run: RunRecord) -> list[str]:
    told = [f"- {_text(text)}" for text in claims.lines(run)]
    return ["### What was published", "", *told, ""] if told else []


def _parts(run: RunRecord) -> list[str]:
    table = parts.table(run)
    if not table.columns:
        return []
    return [
        "### Differences other than the framework",
        "",
        _row(["Server", *table.columns]),
        f"|---{'|---' * len(table.columns)}|",
        *(_row(map(_text, (entry, *cells))) for entry, cells in table.rows),
        "",
    ]


def _unlike(run: RunRecord) -> list[str]:
    told = unlike.sentences(run)
    if not told:
        return []
    return [f"### {unlike.verdict(run)}", "", *(f"- {_text(text)}" for text in told), ""]


def _review(run: RunRecord) -> list[str]:
    if not run.review:
        return []
    found = [(name, text) for name, points in run.review.items() for text in points]
    told = [f"- {_text(name)}: {_text(text)}" for name, text in found]
    return ["### For review of the source", "", *told, ""]


def _build_times(run: RunRecord) -> list[str]:
    rows = build_times.table(run).rows
    if not rows:
        return []
    return [
        "### Build time",
        "",
        "| Server | Cold | Clean | Incremental |",
        "|---|--:|--:|--:|",
        *(_row([_text(row.server), *(cell.words for cell in row.cells)]) for row in rows),
        "",
    ]


def _table(section: Section) -> list[str]:
    ranking = Ranking.of(section, section.rows)
    columns = ranking.columns("markdown")

    def cells(row: EntryRow) -> list[str]:
        place = f"{row.place}{' (tie)' if row.tied else ''}"
        reason = f"not settled: {row.reason}; {row.remedy}" if row.warming else row.reason
        name = _text(row.entry) + (f"<br>{_text(reason)}" if reason else "")
        texts = zip(columns, ranking.texts(row, "markdown"), strict=True)
        return [place, name, *(_text(told) if c.from_record else told for c, told in texts)]

    return [
        _row(["#", "Server", *(ranking.heading(column, "markdown") for column in columns)]),
        f"|---|---|{''.join('---|' if 'markdown' in c.left else '--:|' for c in columns)}",
        *(_row(cells(row)) for row in section.rows),
        *(_row([MISSING, _not_measured(row), *[MISSING] * len(columns)]) for row in section.absent),
    ]


def _not_measured(row: UnmeasuredCell) -> str:
    return f"{_text(row.entry)}<br>not measured: {_text(row.reason)}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """Text that stays text: no markup, no table cell, no mention of a user."""
    flat = " ".join(str(text).split()).replace("&", "&amp;").replace("<", "&lt;")
    flat = re.sub(r"([\\`*_|#~!\[\]])", r"\\\1", flat)
    return without_mentions(flat)


def _code(text: str) -> str:
    """Text between backticks, more of them than it holds itself."""
    flat = " ".join(text.split())
    fence = "`" * (max((len(run) for run in re.findall(r"`+", flat)), default=0) + 1)
    pad = " " if "`" in flat else ""
    return f"{fence}{pad}{flat}{pad}{fence}"
