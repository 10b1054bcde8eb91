"""Blocks of trials until every comparison is settled or the budget is spent."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing

from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.blocks.context import RunContext, keep, plan_of, trials_of
from webdyno.run.blocks.fitted_loads import cells_that_wait, fit_loads
from webdyno.run.blocks.run_deadline import is_over
from webdyno.run.blocks.schedule import GRACE, Unit, next_unit, sparing_the_headline
from webdyno.run.blocks.sentinels import measure_sentinel
from webdyno.run.budget.planned import blocks_by_pace
from webdyno.run.judgement.conditions import conditions_of
from webdyno.run.judgement.costs import costs_of
from webdyno.run.judgement.judge import judge
from webdyno.run.judgement.usl import usl_records
from webdyno.run.record.identity import still_to_make
from webdyno.run.record.keeping import timed
from webdyno.run.record.passing_notes import ended_within
from webdyno.run.study.plan import (
    Cell,
    DueTrial,
    PlacedMatchup,
    by_entry,
    concurrent_groups,
    seed_of,
)
from webdyno.store.disqualification import without_disqualified
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.trial.events import BlockFinished, Noted
from webdyno.trial.plan import TrialPlan
from webdyno.verdict.comparison.answer_differences import differences_of

ConcurrentGroup = list[PlacedMatchup]
"""Trials of a block that are made at once."""


def make_blocks(context: RunContext) -> None:
    """Make blocks, and conclude after each, until nothing is needed or nothing more fits."""
    while (unit := next_unit(context)) is not None:
        complete = _one_block(context, unit)
        if context.run.planned_blocks is None:
            context.run.planned_blocks = blocks_by_pace(context.study, context.run.trials)
        with timed(context.run, "judge"):
            conclude(context.study, context.run)
        context.store.save_run(context.run)
        context.listener(BlockFinished(block=unit.block, verdicts=context.run.verdicts))
        if is_over(context):
            break
        if not complete:
            context.run.notes.append(ended_within(unit.block, context.study.budget))
            break


def _groups_of(context: RunContext, unit: Unit) -> list[ConcurrentGroup]:
    """What is made at once, in order; last what waits for others to show its rate."""
    cells = {placed.matchup.cell.key for placed in unit.order}
    late = cells_that_wait(context, cells)
    fit_loads(context, cells - late)
    # The first block may still change how a cell is made, and shows the rates of what waits.
    shared = context.study.blocks.shared_starts and context.bench.shares_starts
    groups = concurrent_groups(unit.order, shared and unit.block > 0 and not late)
    return sorted(groups, key=lambda group: group[0].matchup.cell.key in late)


def _as_fitted(context: RunContext, group: ConcurrentGroup) -> ConcurrentGroup:
    """The trials with their loads as they are made now."""
    fit_loads(context, {placed.matchup.cell.key for placed in group})
    now = {(m.entry.label, m.cell.key): m for m in context.matchups}
    return [PlacedMatchup(place, now[m.entry.label, m.cell.key]) for place, m in group]


def conclude(study: StudyManifest, run: RunRecord) -> None:
    """Write into `run` what its trials so far support."""
    run.verdicts = judge(study, run.trials, conditions_of(run, study))
    trusted = without_disqualified(run.trials)
    run.costs = costs_of(study, trusted)
    run.scalability = usl_records(study, trusted)
    run.differences = differences_of(run.trials)


def _one_block(context: RunContext, unit: Unit) -> bool:
    """Run a block's trials; False where the budget ended it early."""
    block, order = unit.block, unit.order
    # What an answer needs may overrun a little, since without its end the rest of it is lost; so
    # may the block that has most of the error rate.
    may_overrun = unit.needed or context.study.blocks.late
    grace_s = GRACE * context.budget.seconds if may_overrun else 0.0
    sentinel_at = order[seed_of(context.run.id, block, 1) % len(order)].place
    groups = _groups_of(context, unit)
    while groups and not context.stop_when(context.run):
        group = _as_fitted(context, groups.pop(0))
        if any(placed.place == sentinel_at for placed in group):
            measure_sentinel(context, unit)
        left = still_to_make(context.done, block, len(context.matchups), group)
        if not left:
            continue
        # The first trial of all is made however little time there is.
        if context.budget.left() <= -grace_s and context.done:
            return False
        left = sparing_the_headline(context, unit, left)
        if not left:
            continue
        with closing(_trials(context, group, left, block, len(order))) as trials:
            for trial in trials:
                keep(context, trial)
                if is_over(context):
                    return False
        cell = group[0].matchup.cell
        if _widen_generator(context, block, cell):
            # What was measured with the smaller generator does not compare with what follows.
            again = [placed for placed in order if placed.matchup.cell.key == cell.key]
            others = [group for group in groups if group[0].matchup.cell.key != cell.key]
            groups = [*concurrent_groups(again), *others]
    return True


def _trials(
    context: RunContext,
    group: ConcurrentGroup,
    left: dict[int, PlacedMatchup],
    block: int,
    trials_in_block: int,
) -> Generator[TrialRecord]:
    """The trials of a group that are `left` to make."""

    def plans(start: list[DueTrial]) -> Iterator[TrialPlan]:
        for due in start:
            yield plan_of(context, due, block=block, trials_in_block=trials_in_block)

    cells = {placed.matchup.cell.key: placed.matchup.cell for placed in group}
    starts = map(plans, by_entry(left))
    yield from trials_of(context, starts, list(cells.values()), block)


def _widen_generator(context: RunContext, block: int, cell: Cell) -> bool:
    """Give the cell's generator more cores where it was the limit; whether it was. The cell's
    trials are then undone, but not those of who was proven to lie: they tell why it is not ranked.

    Settled in the first block, so that all blocks compare.
    """
    run, key = context.run, cell.key
    mine = [trial for trial in without_disqualified(run.trials) if trial.cell == key]
    wider = context.placements.widen(cell, mine) if block == 0 else None
    if wider is None:
        return False
    earlier = [one for one in run.grown if one.cell == key]
    wider.measured_anew = len(mine) + sum(one.measured_anew for one in earlier)
    run.grown = [one for one in run.grown if one not in earlier] + [wider]
    run.trials = [trial for trial in run.trials if trial not in mine]
    for trial in mine:
        del context.done[trial.index]
    # In this order: a run that is killed in between measures again what it need not have.
    context.store.remove_trials(run.id, [trial.index for trial in mine])
    context.store.save_run(run)
    message = f"{key[0]} under {key[1]}: the load generator was the limit, and gets more cores"
    context.listener(Noted(text=f"{message}: {wider.placement}"))
    return True
