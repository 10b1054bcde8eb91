"""What a run does next: by its plan, by what its trials really took, and by what is left.

A block is begun only where it can be of use: the first blocks of a cell only where as many can be
had as its answer needs, a further one where it fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webdyno.run.blocks.cell_state import CellState, states_of
from webdyno.run.blocks.context import RunContext
from webdyno.run.budget.agenda import by_priority
from webdyno.run.budget.estimates import TrialTimes
from webdyno.run.budget.planned import SENTINEL_S, SLACK
from webdyno.run.record import passing_notes
from webdyno.run.study.plan import PlacedMatchup, order_of_block
from webdyno.store.agenda import PlanRecord
from webdyno.store.cell import CellKey
from webdyno.trial.events import Noted

GRACE = 0.1
"""The part of the budget by which the blocks that an answer needs may overrun it: what was begun
would be lost otherwise."""


@dataclass(frozen=True)
class Unit:
    """One block of one cell, or of several at once: `cell` is None there."""

    block: int
    cell: CellKey | None
    needed: bool
    """Whether an answer lacks any of it; else it makes one surer."""
    order: list[PlacedMatchup]
    """Its trials in their order; their places are those in the whole random order."""


def next_unit(context: RunContext) -> Unit | None:
    """What is measured next; None where nothing is needed, nothing more fits, or the trials made
    are enough.

    May give up entries that the headline's remaining blocks have no time for: they are then in the
    plan's `given_up`, and in the run's notes.
    """
    return None if context.stop_when(context.run) else _Schedule(context).next()


def sparing_the_headline(
    context: RunContext, unit: Unit, group: dict[int, PlacedMatchup]
) -> dict[int, PlacedMatchup]:
    """`group` (trials about to be made, by index) without the entries whose time the headline's own
    servers will need for the blocks that they lack. They are given up, as `next_unit` gives up.

    Asked before each trial, since the first block shows what trials really take only while it is
    made, and would spend the budget on everybody else.
    """
    plan = context.run.plan
    assert plan is not None
    key = plan.headline
    if plan.whole or plan.everybody or not unit.needed or unit.cell != key or not plan.servers:
        return group
    cell = plan.cells[0]
    clock = _Schedule(context).clock
    entries = [m.entry for m in context.matchups if m.cell.key == key]
    named = [entry for entry in entries if entry.server_variant.label in plan.servers]
    done = {trial.entry for trial in context.run.trials if trial.block == unit.block}
    lacking_s = sum(
        clock.trial_s(entry.label, key) * (cell.blocks - unit.block - (entry.label in done))
        for entry in named
    )
    left_s = context.budget.left() + GRACE * context.budget.seconds - lacking_s
    kept: dict[int, PlacedMatchup] = {}
    given_up: list[str] = []
    for index, placed in group.items():
        entry = placed.matchup.entry
        cost_s = 0.0 if entry in named else clock.trial_s(entry.label, key)
        if entry in named or cost_s <= left_s:
            kept[index] = placed
            left_s -= cost_s
        else:
            given_up.append(entry.label)
    if given_up:
        _give_up(context, given_up, passing_notes.too_long(given_up))
    return kept


def _give_up(context: RunContext, entries: list[str], text: str) -> None:
    assert context.run.plan is not None
    given_up = [*context.run.plan.given_up, *entries]
    context.run.plan = context.run.plan.model_copy(update={"given_up": given_up})
    context.store.save_run(context.run)
    context.run.notes.append(text)
    context.listener(Noted(text=text))


class _Schedule:
    def __init__(self, context: RunContext) -> None:
        assert context.run.plan is not None
        self._context = context
        self._plan: PlanRecord = context.run.plan
        self._left_s = context.budget.left()
        self._grace_s = GRACE * context.budget.seconds
        slack_s = SLACK * context.budget.seconds if context.study.blocks.late else 0.0
        self._room_s = self._left_s + slack_s
        """For a block that no answer lacks."""
        expected = {
            (entry, cell.key): seconds
            for cell in self._plan.cells
            for entry, seconds in cell.seconds.items()
        }
        self.clock = TrialTimes(expected, context.run.trials)
        self._states = states_of(context)

    def next(self) -> Unit | None:
        if not self._context.run.trials:
            # Estimates alone do not forbid to begin.
            return self._first()
        all_at_once = self._all_at_once()
        if all_at_once or self._plan.whole:
            return all_at_once
        return self._needed() or self._surer()

    def _first(self) -> Unit:
        if self._plan.everything:
            return self._unit(self._states)
        return self._unit(self._states[:1])

    def _all_at_once(self) -> Unit | None:
        """A block of everything, or of what lacks one and as much else as is made anyway, where the
        plan has room for it and the clock agrees."""
        if not self._plan.everything:
            return None
        open_ = [state for state in self._states if state.to_measure]
        lacking = [state for state in open_ if state.lacking]
        cost_s = sum(map(self._cost_s, lacking))
        if lacking and not self._plan.whole:
            fits = cost_s <= self._left_s + self._grace_s
        else:
            fits = sum(map(self._block_s, open_)) <= self._room_s
        chosen = lacking or open_
        if not chosen or not fits:
            return None
        block = min(state.block for state in chosen)
        # One start serves several loads, so what is to be made of the others comes along.
        others = [state for state in open_ if state not in chosen and state.block == block]
        if cost_s + sum(map(self._rest_s, others)) <= self._room_s:
            chosen = [*chosen, *others]
        return self._unit([state for state in chosen if state.block == block])

    def _needed(self) -> Unit | None:
        """The blocks that the headline lacks, then those that other cells of the plan lack."""
        first, *others = self._states
        if first.lacking:
            if self._fits(first):
                return self._unit([first])
            return self._with_fewer(first)
        planned = [state for state in others if state.cell.planned or state.begun]
        for state in planned:
            if state.lacking and self._fits(state):
                return self._unit([state])
        return None

    def _surer(self) -> Unit | None:
        """More blocks of the headline until it is settled; then what was not planned; then more
        blocks of the rest."""
        first, *others = self._states
        if not first.lacking and first.to_measure and self._block_s(first) <= self._room_s:
            return self._unit([first])
        for state in others:
            if state.lacking and self._fits(state):
                return self._unit([state])
        for state in others:
            if state.to_measure and not state.lacking and self._block_s(state) <= self._room_s:
                return self._unit([state])
        return None

    def _fits(self, state: CellState) -> bool:
        room_s = self._left_s + (self._grace_s if state.begun or state.measured else 0.0)
        return self._cost_s(state) <= room_s

    def _cost_s(self, state: CellState) -> float:
        """What the blocks that the cell lacks still take."""
        return (state.lacking - 1) * self._block_s(state) + self._rest_s(state)

    def _with_fewer(self, state: CellState) -> Unit | None:
        """The headline's remaining blocks with as many entries as they have time for."""
        context, plan = self._context, self._plan
        if plan.everybody:
            return None
        twins = {matchup.entry.label: matchup.entry.control for matchup in context.matchups}
        kept: list[str] = []
        for entry in by_priority(state.to_measure, context.matchups, plan.servers):
            cost_s = self._cost_s(replace(state, to_measure=[*kept, entry]))
            if cost_s <= self._left_s + self._grace_s:
                kept.append(entry)
        # A server beside its own control answers nothing.
        if sum(not twins[entry] for entry in kept) < 2:
            return None
        given_up = [entry for entry in state.to_measure if entry not in kept]
        note = passing_notes.too_short(given_up, state.block, state.cell.blocks)
        _give_up(context, given_up, note)
        return self._unit([replace(state, to_measure=kept)])

    def _rest_s(self, state: CellState) -> float:
        """What its next block still takes, of which a part may be made."""
        made_s = sum(self.clock.trial_s(entry, state.key) for entry in state.measured)
        return self._block_s(state) - made_s

    def _block_s(self, state: CellState) -> float:
        return self._seconds(state.key, state.to_measure)

    def _seconds(self, key: CellKey, entries: Sequence[str]) -> float:
        sentinel_s = SENTINEL_S if self._context.study.sentinel else 0.0
        return sum(self.clock.trial_s(entry, key) for entry in entries) + sentinel_s

    def _unit(self, states: Sequence[CellState]) -> Unit:
        context, block = self._context, states[0].block
        chosen = {(entry, state.key) for state in states for entry in state.to_measure}
        order = order_of_block(context.matchups, context.run.id, block)
        return Unit(
            block=block,
            cell=states[0].key if len(states) == 1 else None,
            needed=any(state.lacking for state in states),
            order=[
                PlacedMatchup(place, matchup)
                for place, matchup in enumerate(order)
                if (matchup.entry.label, matchup.cell.key) in chosen
            ],
        )
