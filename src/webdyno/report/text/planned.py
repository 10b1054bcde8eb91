"""What a run set out to answer within its budget, and what the rest would take: in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from webdyno.report.numbers import counted
from webdyno.words import duration, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webdyno.store.agenda import PlannedCell, PlanRecord
    from webdyno.store.stored_study import StoredStudy

FEW = 4
"""More cells than this are counted, not named."""


def sentences(
    plan: PlanRecord, study: StoredStudy | None = None, *, advises: bool = True
) -> list[str]:
    """What the budget carries, what it does not, and what was made shorter or left out for it.

    `study` tells what a load's length was before it was shortened. Where it `advises`, also the
    --budget that would carry all.
    """
    return [_carried(plan, study.question if study else ""), *rest(plan, study, advises=advises)]


def rest(plan: PlanRecord, study: StoredStudy | None = None, *, advises: bool = True) -> list[str]:
    """The same without what the budget carries: of a run that was made, the trials tell that."""
    texts = []
    beyond = [cell for cell in plan.cells if not cell.planned]
    if beyond:
        texts.append(f"Not within this budget: {_names(beyond)}.")
    if plan.left_out:
        texts.append(f"No time for {listed(plan.left_out)}.")
    for load, seconds in plan.lengths_s.items():
        asked = study.load(load) if study else None
        instead = f" instead of {duration(asked.duration)}" if asked and asked.duration else ""
        texts.append(f"Each trial of {load} is measured for {duration(seconds)}{instead}.")
    if not plan.everything:
        option = f" (--budget {budget_option(plan.all_s)})" if advises else ""
        takes = duration(whole_minutes(plan.all_s))
        texts.append(f"The whole study takes about {takes}{option}.")
    return texts


def whole_minutes(seconds: float) -> float:
    """`seconds`, rounded up to minutes."""
    return 60.0 * max(1, math.ceil(seconds / 60))


def _rounded(seconds: float) -> float:
    """`seconds` up to whole ones, and to minutes where it is one or more: never beyond a budget
    that carries them because of the rounding alone."""
    return whole_minutes(seconds) if seconds >= 60 else math.ceil(seconds)


def budget_option(seconds: float) -> str:
    """What `--budget` has to be given for as long as that: `52m`."""
    return f"{round(whole_minutes(seconds) / 60)}m"


def _carried(plan: PlanRecord, question: str) -> str:
    first, *others = (cell for cell in plan.cells if cell.planned)
    budget = duration(plan.budget_s)
    if plan.whole:
        blocks = f"{counted(first.blocks, 'block')} of everything"
        if plan.all_s <= plan.budget_s:
            return f"In {budget}: {blocks}, as time permits."
        takes = duration(whole_minutes(plan.all_s))
        return (
            f"In {budget}: as much as there is time for of {blocks}, about {takes} (--budget "
            f"{budget_option(plan.all_s)}); a trial that was begun is finished."
        )
    if plan.everything:
        count = len(plan.cells)
        what = f"all {count} combinations of scenario and load, " if count > 1 else ""
        blocks = f"{what}{counted(first.blocks, 'block')}{' each' if count > 1 else ''}"
        takes_s = _rounded(plan.all_s)
        if plan.all_s > plan.budget_s:
            take = "takes" if blocks == "1 block" else "take"
            return (
                f"In {budget}: as much as there is time for of {blocks}, which {take} about "
                f"{duration(takes_s)}."
            )
        takes_s = min(takes_s, plan.budget_s)
        return f"In {budget}: {blocks} in about {duration(takes_s)}; more while time is left."
    who = [one for one in plan.entries if one in first.seconds and not one.endswith("(control)")]
    size = f"{counted(first.blocks, 'block')} of {counted(len(who), 'server')}"
    # What stands above it already is not asked again.
    asked = "." if plan.question == question else f": {plan.question}"
    also = f" Then {_names(others)}." if others else ""
    return f"{size} planned for {budget}{asked}{also}"


def _names(cells: Sequence[PlannedCell]) -> str:
    """Scenarios and their loads by name; many are counted."""
    sound = [f"{cell.scenario} under {cell.load}" for cell in cells if not cell.published]
    if len(sound) > FEW:
        sound = [*sound[: FEW - 1], f"{len(sound) - FEW + 1} more"]
    published = [cell for cell in cells if cell.published]
    loads = list(dict.fromkeys(cell.load for cell in published))
    of = listed(dict.fromkeys(cell.scenario for cell in published))
    if published:
        what = f"the published load{'s' if len(loads) > 1 else ''} {listed(loads)} ({of})"
        sound.append(what)
    return listed(sound)
