"""The answer to the question that a run answers first: one sentence, or what is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webdyno.report import metrics, summary
from webdyno.report.text import answer, planned, sentences
from webdyno.report.text.answer import HeadlineAnswer
from webdyno.report.too_few_blocks import too_few_blocks
from webdyno.run.budget.afterwards import cell_s
from webdyno.words import duration

if TYPE_CHECKING:
    from webdyno.store.agenda import PlanRecord
    from webdyno.store.records import RunRecord
    from webdyno.store.verdicts import VerdictRecord


def opening(run: RunRecord) -> HeadlineAnswer:
    """What a report opens with: the answer to the run's headline, where it has one; then what all
    verdicts say together, and what there was no time for."""
    whole, first, plan = answer.answer(run), headline(run), run.plan
    rest = _not_in_time(run, plan) if plan and not plan.everything else []
    if not first:
        return replace(whole, rest=tuple(rest))
    enough = [verdict for verdict in run.verdicts if not verdict.too_few]
    also = [whole.headline] if len(enough) > 1 else []
    parts = tuple(
        (sentences.scope_of(run, verdict), sentences.sentence(verdict)) for verdict in run.verdicts
    )
    if len(parts) == 1 and parts[0][1] in first:
        parts = ()  # It says no more than the headline.
    return HeadlineAnswer(first, parts, (*also, *rest))


def _not_in_time(run: RunRecord, plan: PlanRecord) -> list[str]:
    """What the budget left out; of a run that still goes on, what it carries as well."""
    told = planned.sentences if run.status == "running" else planned.rest
    return told(_as_made(run, plan), run.study)


def _as_made(run: RunRecord, plan: PlanRecord) -> PlanRecord:
    """The plan with what came of it: the time may have been enough for more, or for less."""
    if run.status == "running":
        return plan
    made = {trial.cell for trial in run.trials}
    asked = plan.headline
    cells = [cell.model_copy(update={"planned": cell.key in made | {asked}}) for cell in plan.cells]
    # What the headline lacks is told by what its trials took here: then all of it is, too.
    answered = any(v.cell == asked and not v.too_few for v in run.verdicts)
    late = [cell.blocks * (cell_s(run, cell) - sum(cell.seconds.values())) for cell in cells]
    late = [] if answered else late
    return plan.model_copy(update={"cells": cells, "all_s": plan.all_s + max(0.0, sum(late))})


def headline(run: RunRecord) -> str:
    """The headline's question and its answer, with ratio and interval; where there is none yet,
    what it would take. Empty where the run asked for nothing in particular and had the time for all
    of it: then its verdicts speak together."""
    plan = run.plan
    if plan is None or (plan.everything and not plan.named):
        return ""
    found = [v for v in run.verdicts if v.cell == plan.headline]
    verdict = next((one for one in found if one.metric == plan.metric), None)
    if plan.named:
        asked = f"{plan.question} "
    else:
        where = summary.scope(run, plan.scenario, plan.load)
        asked = f"In {where} by {metrics.metric(plan.metric).within}: "
    if verdict is None:
        begun = any(t.is_evidence for t in run.trials if t.cell == plan.headline)
        lacking = "its first block is not finished" if begun else "none of its trials finished"
        return f"{asked}{_not(plan)} answered ({lacking}){_takes(run, plan)}."
    if verdict.too_few:
        return f"{asked}{_not(plan)} answered ({too_few_blocks(verdict)}){_takes(run, plan)}."
    return asked + _lead(among(verdict, plan.servers))


def _not(plan: PlanRecord) -> str:
    return "Not" if plan.named else "not"  # A named question is a sentence of its own.


def among(verdict: VerdictRecord, servers: list[str]) -> VerdictRecord:
    """`verdict` as far as it is about `servers`: the same ratios and intervals, fewer of them."""
    left = [[one for one in group if one in servers] for group in verdict.groups]
    return verdict.model_copy(
        update={
            "entries": [one for one in verdict.entries if one in servers],
            "groups": [group for group in left if group],
            "ratios": [one for one in verdict.ratios if {one.of, one.to} <= set(servers)],
            "not_ranked": [one for one in verdict.not_ranked if one.entry in servers],
        }
    )


def _lead(verdict: VerdictRecord) -> str:
    if verdict.groups:
        return sentences.lead(verdict)
    reasons = sentences.left_out(verdict)
    return "; ".join(["Nothing could be ranked", *reasons]) + "."


def _takes(run: RunRecord, plan: PlanRecord) -> str:
    """What the headline alone would take, by what its trials took here, else by the plan."""
    cell = next(c for c in plan.cells if c.key == plan.headline)
    # A tenth more, since a budget that is only just enough may not be.
    seconds = 1.1 * cell.blocks * cell_s(run, cell)
    return (
        f"; allow about {duration(planned.whole_minutes(seconds))} "
        f"(--budget {planned.budget_option(seconds)})"
    )
