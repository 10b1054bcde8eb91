"""What a notebook shows of a run, a verdict and a trial, and why a data frame is empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report import metrics, pooled, summary, templating
from webdyno.report.numbers import MISSING, scale_for, size, with_interval
from webdyno.report.ranking import AVERAGES, Ranking
from webdyno.report.text import answer, cautions, facts, headline, limits, not_measured, sentences
from webdyno.store.record import HTML
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.verdicts import VerdictRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webdyno.report.section import Section
    from webdyno.store.unmeasured_cell import UnmeasuredCell


@dataclass(frozen=True)
class NotebookTable:
    """A small table: text cells below their headings; the first column is on the left."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def run_html(run: RunRecord) -> str:
    """The answer, its cautions, and a ranked table for each scenario and load."""
    said = headline.opening(run)
    return _render(
        title=f"{run.study.name or run.id}: {said.headline}",
        notes=(*said.rest, *cautions.cautions(run), f"{run.id}: {facts.summary_line(run)}"),
        tables=[_ranking(run, section) for section in summary.sections(run)],
    )


def verdict_html(verdict: VerdictRecord) -> str:
    """What the verdict says, and every entry with its place and its ratio to the first."""
    metric = metrics.metric(verdict.metric)
    scale = scale_for(metric.kind, verdict.medians.values())
    rows: list[tuple[str, ...]] = []
    first = verdict.groups[0][0] if verdict.groups else ""
    for entry, place in verdict.places().items():
        ratio = None if entry == first else pooled.find_ratio(verdict, first, entry)
        lead = with_interval(ratio.estimate, ratio.low, ratio.high) if ratio else ""
        rows.append((entry, str(place), scale.with_unit(verdict.medians.get(entry)), lead))
    left = {one.entry: one.reason for one in verdict.not_ranked}
    rows += [
        (entry, MISSING, scale.with_unit(verdict.medians.get(entry)), reason)
        for entry, reason in left.items()
    ]
    headings = ("server", "place", metric.within, "first leads by")
    return _render(
        title=f"{verdict.scenario} under {verdict.load} by {metric.within}",
        notes=(sentences.sentence(verdict),),
        tables=[NotebookTable("", headings, tuple(rows))],
    )


def trial_html(trial: TrialRecord) -> str:
    """The trial's figures, what limited it, and the flags it carries."""
    lines: list[tuple[str, ...]] = [
        ("status", trial.status + (f": {trial.reason}" if trial.reason else ""))
    ]
    measured = trial.measurement
    if trial.search is not None:
        least = "at least " if trial.search.kind == "at-least" else ""
        found = trial.search.capacity_rps
        lines.append(("capacity", least + scale_for("rate", [found]).with_unit(found)))
    if measured is not None:
        rate = measured.throughput_rps
        lines.append(("throughput", scale_for("rate", [rate]).with_unit(rate)))
        if measured.latency_us is not None:
            for name, value in (("p50", measured.latency_us.p50), ("p99", measured.latency_us.p99)):
                lines.append((name, scale_for("latency", [value]).with_unit(value)))
        cpu = measured.cpu_us_per_request.get("server")
        lines.append(("CPU per request", scale_for("latency", [cpu]).with_unit(cpu)))
        lines.append(("peak memory", size(measured.memory_bytes.peak)))
    if trial.limit:
        why = f": {trial.bottleneck_reason}" if trial.bottleneck_reason else ""
        lines.append(("limited by", limits.word(trial.limit) + why))
    return _render(
        title=f"{trial.entry}, {trial.scenario} under {trial.load}, block {trial.block + 1}",
        notes=[f"{flag.code}: {flag.message}" for flag in trial.flags],
        tables=[NotebookTable("", ("", ""), tuple(lines))],
    )


def why_no_trials(run: RunRecord) -> str:
    """Why a run has no trial, in a sentence; empty where it has one."""
    if run.trials:
        return ""
    missing = not_measured.by_reason(_absent(run))
    reasons = "; ".join(f"{names}: {reason}" for names, reason in missing)
    return f"run {run.id} has no trials" + (f" ({reasons})" if reasons else f" ({run.status})")


def why_no_ratios(run: RunRecord) -> str:
    """Why a run compares nothing, in a sentence; empty where it has a ratio."""
    if any(verdict.ratios for verdict in run.verdicts):
        return ""
    if not run.trials:
        return why_no_trials(run)
    return f"run {run.id} has no ratios: {answer.answer(run).headline}"


def _absent(run: RunRecord) -> list[UnmeasuredCell]:
    """What was asked for and not measured, over all sections."""
    return [row for section in summary.sections(run) for row in section.absent]


def _ranking(run: RunRecord, section: Section) -> NotebookTable:
    rows = section.rows
    ranking = Ranking.of(section, rows)
    columns = ranking.columns("notebook")
    return NotebookTable(
        summary.scope(run, section.scenario, section.load),
        ("server", "#", *(ranking.heading(column, "notebook") for column in columns)),
        tuple(
            (
                row.entry,
                f"{row.place}{'=' if row.tied else ''}",
                *ranking.texts(row, "notebook"),
            )
            for row in rows
        ),
        (
            *(f"{row.entry}: {row.reason}" for row in rows if row.reason),
            f"Figures are {AVERAGES}.",
        ),
    )


def _render(*, title: str, notes: Iterable[str], tables: Iterable[NotebookTable]) -> str:
    template = templating.environment().get_template("notebook.html.j2")
    return template.render(title=title, notes=list(notes), tables=list(tables))


HTML.update({RunRecord: run_html, VerdictRecord: verdict_html, TrialRecord: trial_html})
