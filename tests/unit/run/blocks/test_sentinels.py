"""The sentinel of a block: measured once among the trials that it stands for."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from support.planned_run import a_context, study_of
from webdyno.run.bench.bench import Bench
from webdyno.run.blocks.context import RunContext
from webdyno.run.blocks.schedule import Unit
from webdyno.run.blocks.sentinels import measure_sentinel
from webdyno.run.judgement.conditions import conditions_of
from webdyno.run.study.plan import PlacedMatchup, order_of_block
from webdyno.runtime.machine.placement import Placement
from webdyno.store.cell import CellKey
from webdyno.store.records import RunRecord
from webdyno.store.verdicts import SentinelRecord

BLOCK = 3
CELLS = [(scenario, load) for scenario in ("json", "sha256") for load in ("closed-8", "closed-64")]


class EverFaster(Bench):
    """A machine that is faster by 1,000/s whenever it is looked at."""

    def __init__(self) -> None:
        self._levels = itertools.count(1_000, 1_000)

    def sentinel(self, placement: Placement, block: int, temporary: Path) -> SentinelRecord:
        level = next(self._levels)
        return SentinelRecord(
            block=block, throughput_rps=level, cpu_us_per_request=1.0, seconds=1.0
        )


def a_run(tmp_path: Path) -> RunContext:
    context = a_context(study_of("700s", sentinel=True), tmp_path)
    context.bench = EverFaster()
    return context


def measure(context: RunContext, cells: Sequence[CellKey]) -> None:
    """The sentinel of a unit of `cells`, in a block that several units have."""
    placed = enumerate(order_of_block(context.matchups, "r", BLOCK))
    order = [
        PlacedMatchup(place, matchup) for place, matchup in placed if matchup.cell.key in cells
    ]
    assert order
    measure_sentinel(context, Unit(BLOCK, cells[0] if len(cells) == 1 else None, False, order))


def speeds(run: RunRecord, context: RunContext) -> list[float]:
    """What each of `CELLS` is held against in the block."""
    conditions = conditions_of(run, context.study)
    found = [conditions.speeds_of(BLOCK + 1, cell) for cell in CELLS]
    return [0.0 if one is None else float(one[BLOCK]) for one in found]


def test_units_of_several_cells_in_one_block_have_a_sentinel_each(tmp_path: Path) -> None:
    context = a_run(tmp_path)
    measure(context, CELLS[:2])
    measure(context, CELLS[2:])
    assert speeds(context.run, context) == [1_000, 1_000, 2_000, 2_000]
    stored = context.store.run("r")
    context.store.close()
    assert speeds(stored, context) == [1_000, 1_000, 2_000, 2_000]


def test_what_was_interrupted_keeps_its_sentinel(tmp_path: Path) -> None:
    context = a_run(tmp_path)
    measure(context, CELLS)
    measure(context, CELLS[2:])
    measure(context, CELLS[3:])
    assert speeds(context.run, context) == [1_000] * 4
    context.store.close()


def test_a_sentinel_that_names_no_cells_is_of_all_that_a_unit_of_several_has(
    tmp_path: Path,
) -> None:
    context = a_run(tmp_path)
    older = EverFaster().sentinel(context.placement, BLOCK, tmp_path)
    context.run.sentinels.append(older)
    measure(context, CELLS[:2])
    assert context.run.sentinels == [older]
    measure(context, CELLS[3:])
    assert speeds(context.run, context)[2:] == [1_000, 1_000]
    assert [one.cell for one in context.run.sentinels] == [("", ""), CELLS[3]]
    context.store.close()
