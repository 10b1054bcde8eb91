"""The sentinel of a block, which tells how fast the machine was among its trials."""

from __future__ import annotations

from webdyno.run.blocks.context import RunContext
from webdyno.run.blocks.schedule import Unit


def measure_sentinel(context: RunContext, unit: Unit) -> None:
    """Measure the machine at a random place of the block, once; units of other cells that have the
    same block measure theirs."""
    scenario, load = unit.cell or ("", "")
    cells = list(dict.fromkeys(placed.matchup.cell.key for placed in unit.order))
    made = [one for one in context.run.sentinels if one.block == unit.block]
    # Of runs made before sentinels named several cells, one without any is of all of them.
    of_all = any(one.cell == (scenario, load) and not one.cells for one in made)
    if not context.study.sentinel or of_all or any(set(cells) & set(one.cells) for one in made):
        return
    if all(one.matchup.cell.load.method == "as-published" for one in unit.order):
        return
    if context.budget.left() <= 0 and context.done:
        return
    seen = context.bench.sentinel(context.placement, unit.block, context.temporary)
    if seen is not None:
        several = cells if unit.cell is None else []
        named = seen.model_copy(update={"scenario": scenario, "load": load, "cells": several})
        context.run.sentinels.append(named)
        context.store.save_run(context.run)
