"""On a busy machine, the first load has the time of all: one narrow interval, not four wide ones.

How far apart two versions seem in a block varies several times as much beside other programs, and
Student's t makes few blocks dear: at the level of the last look it is 5.0 after five blocks, 3.8
after eight. Whether others wait is decided by what the machine did, before any verdict looks at
what is compared, so it favours no answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.run.blocks.context import RunContext
from webdyno.run.budget.estimates import TrialTimes
from webdyno.run.record import passing_notes
from webdyno.store.records import TrialRecord
from webdyno.trial.events import Noted

ENOUGH = 8
"""Blocks of the headline that are worth more than another load: further ones gain little."""


def prefer_headline(context: RunContext) -> None:
    """Have the run's other cells wait for the headline's answer, where its first block is all that
    was made so far, and shows that they had better (`others_wait`).

    They are then in the plan as cells that were not planned: measured with the time that the
    headline leaves.
    """
    run, plan = context.run, context.run.plan
    if plan is None or not plan.everything or len(plan.cells) == 1:
        return
    if plan.whole or not context.study.blocks.shared_starts:
        return
    first = [trial for trial in run.trials if trial.cell == plan.headline and not trial.block]
    made = {trial.entry for trial in first}
    if len(first) < len(run.trials) or not made.issuperset(plan.entries):
        return
    clock = TrialTimes.by_plan(plan, run.trials)
    block_s = sum(clock.trial_s(entry, cell.key) for cell in plan.cells for entry in cell.seconds)
    left_s = context.budget.left()
    enough = min(ENOUGH, context.study.blocks.max)
    if not others_wait(first, left_s, block_s, enough):
        return
    headline, *others = plan.cells
    waiting = [cell.model_copy(update={"planned": False}) for cell in others]
    # The budget with which they need not wait is what reports say that all of it takes.
    all_s = round(context.budget.seconds - left_s + (enough - 1) * block_s, 1)
    run.plan = plan.model_copy(update={"cells": [headline, *waiting], "all_s": all_s})
    told = passing_notes.busy(headline.load, [cell.load for cell in others])
    run.notes.append(told)
    context.store.save_run(run)
    context.listener(Noted(text=told))


def others_wait(
    first: Sequence[TrialRecord], left_s: float, block_s: float, enough: int = ENOUGH
) -> bool:
    """Whether other loads had better wait for the answer of the one that `first` is the first block
    of: other programs or a quota took CPU time in at least half of its trials, and within `left_s`
    there is no time to make `enough` blocks of all loads, which take `block_s` each."""
    noisy = sum(trial.bottleneck == "machine-noise" for trial in first)
    return 2 * noisy >= len(first) and 1 + left_s / block_s < enough
