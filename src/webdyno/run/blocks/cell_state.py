"""How far each cell of a run's plan has got, by the trials that were made."""

from __future__ import annotations

from dataclasses import dataclass

from webdyno.run.blocks.context import RunContext
from webdyno.run.judgement.conditions import conditions_of
from webdyno.run.judgement.judge import still_needed
from webdyno.run.judgement.unrankable import still_warming
from webdyno.store.agenda import PlannedCell
from webdyno.store.cell import CellKey
from webdyno.store.disqualification import disqualifications


@dataclass(frozen=True)
class CellState:
    """How far a cell has got."""

    cell: PlannedCell
    block: int
    """The next one, counted from 0, or the one that is half done."""
    to_measure: list[str]
    """Entries that it has to measure; none where the cell is done with."""
    measured: frozenset[str] = frozenset()
    """Those of them that it has measured already, where it was interrupted."""
    warming: bool = False
    """Whether one of its entries works, but was not shown to be warm often enough."""

    @property
    def key(self) -> CellKey:
        return self.cell.key

    @property
    def begun(self) -> bool:
        return self.block > 0

    @property
    def lacking(self) -> int:
        """Blocks that its answer lacks; one more as long as somebody is still warming."""
        if not self.to_measure:
            return 0
        return max(int(self.warming), self.cell.blocks - self.block)


def states_of(context: RunContext) -> list[CellState]:
    """The state of each cell, in the order of the plan, which the run has."""
    assert context.run.plan is not None
    return [_state(context, cell) for cell in context.run.plan.cells]


def _state(context: RunContext, cell: PlannedCell) -> CellState:
    mine = [t for t in context.run.trials if t.cell == cell.key]
    block = max((trial.block for trial in mine), default=0)
    entries = _entries_to_measure(context, cell, block)
    done = {trial.entry for trial in mine if trial.block == block}
    if mine and done.issuperset(entries):
        block += 1
        entries = _entries_to_measure(context, cell, block)
        done = set()
    least = conditions_of(context.run, context.study).looks.least
    warming = still_warming([trial for trial in mine if trial.block < block], least)
    return CellState(cell, block, entries, frozenset(done.intersection(entries)), bool(warming))


def _entries_to_measure(context: RunContext, cell: PlannedCell, block: int) -> list[str]:
    """Whom a block of the cell has to measure; by the trials of earlier blocks alone, so that a
    resumed run decides alike."""
    plan = context.run.plan
    assert plan is not None
    entries = [one for one in plan.entries if one in cell.seconds and one not in plan.given_up]
    # Whoever was proven to lie is not ranked, whatever else it does: its time is others'.
    before = [trial for trial in context.run.trials if trial.block < block]
    lied = {entry for scenario, entry in disqualifications(before) if scenario == cell.scenario}
    entries = [one for one in entries if one not in lied]
    if block >= (1 if cell.published else _most_blocks(context)):
        return []
    if block < cell.blocks:
        return entries
    earlier = [t for t in before if t.cell == cell.key]
    needed = still_needed(context.study, earlier, conditions_of(context.run, context.study))
    return [one for one in entries if (one, *cell.key) in needed]


def _most_blocks(context: RunContext) -> int:
    """As many as the study allows; where the last look has most of the error rate, none is made
    after it."""
    run, blocks = context.run, context.study.blocks
    return run.planned_blocks or blocks.max if blocks.late else blocks.max
