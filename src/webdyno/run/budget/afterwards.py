"""What a run's blocks took, and so the budget that it would have needed."""

from __future__ import annotations

import statistics
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webdyno.store.agenda import PlannedCell
    from webdyno.store.cell import CellKey
    from webdyno.store.records import RunRecord


def cell_s(run: RunRecord, cell: PlannedCell) -> float:
    """Seconds that a block of `cell` takes: by what its trials took, else by the plan."""
    took: dict[str, list[float]] = defaultdict(list)
    for trial in run.trials:
        if trial.cell == cell.key:
            took[trial.entry].append(trial.took_s)
    known = {entry: statistics.median(seconds) for entry, seconds in took.items()}
    return sum({**cell.seconds, **known}.values())


def needed_s(run: RunRecord) -> float:
    """The budget, in seconds, that carries all that `run` planned: by what its trials took, which
    may be more than was expected of them. 0 where it lacks nothing, or has no plan."""
    plan = run.plan
    if plan is None:
        return 0.0
    made: dict[CellKey, set[int]] = defaultdict(set)
    for trial in run.trials:
        made[trial.cell].add(trial.block)
    if plan.everything and all(len(made[cell.key]) >= cell.blocks for cell in plan.cells):
        return 0.0
    return max(sum(cell.blocks * cell_s(run, cell) for cell in plan.cells), plan.all_s)
