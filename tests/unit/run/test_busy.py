"""What a busy machine does to the order of loads, and what that is worth."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.small_study import a_trial
from unit.run.test_agenda import TWO_LOADS, study_of
from unit.run.test_schedule import a_context
from unit.verdict.simulate import ALPHA, most_misses
from webdyno.catalog import StudyManifest
from webdyno.report.said.planned import sentences
from webdyno.run.blocks.busy import ENOUGH, others_wait, prefer_headline
from webdyno.run.blocks.schedule import next_unit
from webdyno.run.budget.planned import blocks_by_pace
from webdyno.run.record.passing_notes import busy, lasting
from webdyno.store.records import RunRecord, now
from webdyno.verdict.intervals import half_widths
from webdyno.verdict.looks import Looks
from webdyno.verdict.pairs import paired_differences

HEADLINE, OTHER = "closed-8", "closed-64"


def a_pair(
    budget: str, loads: Sequence[dict[str, Any]] = TWO_LOADS[:2], **blocks: object
) -> StudyManifest:
    """A study of two equal servers and the control of one, under two loads."""
    return study_of(
        budget,
        servers=["node/http", "go/gin"],
        scenarios=["json"],
        loads=loads,
        blocks={"min": 3, "max": 200, "looks": "late", "shared_starts": True, **blocks},
    )


def made(
    study: StudyManifest, tmp_path: Path, limit: str, trial_s: float = 8.0
) -> tuple[list[str], RunRecord]:
    """The loads of a run's units in their order, where trials have that `limit`, and the run; each
    server's figures vary by 3%, so that nothing is settled."""
    context, draw, units = a_context(study, tmp_path), random.Random(3), list[str]()
    while True:
        prefer_headline(context)
        if (unit := next_unit(context)) is None:
            break
        for place, matchup in unit.order:
            began = now()
            trial = a_trial(
                matchup.entry.server_variant.server.id,
                unit.block,
                1000 * draw.gauss(1, 0.03),
                control=matchup.entry.control,
                load=matchup.cell.load.label(),
                index=unit.block * len(context.matchups) + place,
                started=began,
                finished=began + timedelta(seconds=trial_s),
                bottleneck=limit,
            )
            context.run.trials.append(trial)
            context.budget.spent_before += trial.took_s
        if context.run.planned_blocks is None:
            context.run.planned_blocks = blocks_by_pace(study, context.run.trials)
        units.append(" ".join(sorted({m.cell.load.label() for _, m in unit.order}, reverse=True)))
    context.store.close()
    return units, context.run


def test_on_a_quiet_machine_all_loads_have_the_same_blocks(tmp_path: Path) -> None:
    units, run = made(a_pair("300s"), tmp_path, "server-bound")
    assert not run.notes
    assert units[:2] == [HEADLINE, OTHER]
    assert set(units[2:]) == {f"{HEADLINE} {OTHER}"}


def test_on_a_busy_machine_all_blocks_are_the_headline_s(tmp_path: Path) -> None:
    units, run = made(a_pair("300s"), tmp_path, "machine-noise")
    assert set(units) == {HEADLINE}
    assert len(units) > ENOUGH
    # A run that goes on by this plan keeps the note.
    assert lasting(run.notes, planned_anew=False) == run.notes == [busy(HEADLINE, [OTHER])]
    assert not lasting(run.notes, planned_anew=True)
    # A block of the headline, and seven of both loads.
    assert run.plan is not None
    assert run.plan.all_s == pytest.approx(24 + 7 * 48, rel=0.2)
    assert sentences(run.plan)[-1].startswith("The whole study takes about ")


def test_a_long_budget_has_time_for_all_loads_on_a_busy_machine(tmp_path: Path) -> None:
    units, _ = made(a_pair(f"{ENOUGH * 48}s"), tmp_path, "machine-noise")
    assert units[:2] == [HEADLINE, OTHER]
    assert len(units) > ENOUGH


def test_no_more_blocks_than_the_study_allows_are_thought_needed(tmp_path: Path) -> None:
    # Both loads have the time for their three blocks, and never have eight.
    units, run = made(a_pair("200s", max=3), tmp_path, "machine-noise")
    assert not run.notes
    assert units[:2] == [HEADLINE, OTHER]


def test_what_trials_take_is_known_before_another_load_is_begun(tmp_path: Path) -> None:
    # Six of 31 s for each load, where three blocks of the first alone fit.
    units, _ = made(a_pair("300s"), tmp_path, "server-bound", 31.0)
    assert units == [HEADLINE] * 3


def test_a_first_block_that_was_interrupted_is_made_before_another_load(tmp_path: Path) -> None:
    context = a_context(a_pair("300s"), tmp_path)
    context.run.trials.append(a_trial("node/http", 0, 1000.0, load=HEADLINE))
    unit = next_unit(context)
    context.store.close()
    assert unit is not None
    assert unit.cell == ("json", HEADLINE)


def test_a_load_whose_rate_another_shows_does_not_come_first(tmp_path: Path) -> None:
    steady = {"kind": "open", "name": "steady", "phases": ["9/s:5s"], "scale": "half"}
    context = a_context(a_pair("300s", [steady, TWO_LOADS[1]]), tmp_path)
    unit = next_unit(context)
    context.store.close()
    assert unit is not None
    assert {m.cell.load.label() for _, m in unit.order} == {"steady", OTHER}


def test_a_study_without_shared_starts_goes_on_as_planned(tmp_path: Path) -> None:
    study = a_pair("300s", shared_starts=False)
    units, _ = made(study, tmp_path, "machine-noise")
    assert set(units) == {f"{HEADLINE} {OTHER}"}


@pytest.mark.parametrize(
    ("limits", "left_s", "wait"),
    [
        (["machine-noise"] * 3, 250.0, True),
        (["machine-noise", "machine-noise", "server-bound"], 250.0, True),
        (["machine-noise", "server-bound", "server-bound"], 250.0, False),
        (["machine-noise"] * 3, (ENOUGH - 1) * 50.0, False),
    ],
)
def test_who_waits(limits: list[str], left_s: float, wait: bool) -> None:
    first = [a_trial("node/http", 0, 1.0, bottleneck=limit) for limit in limits]
    assert others_wait(first, left_s, 50.0) is wait


def test_blocks_of_one_load_find_what_those_of_two_miss() -> None:
    """Beside a neighbour, B's difference from A varies by 2.2% from block to block (Node.js). Five
    minutes have time for five blocks of two loads, or for eight of one; each makes four claims."""
    many, allowed, varies = 4000, ALPHA / 4, 0.022
    of_a_trial = varies / 1.5**0.5

    def found(blocks: int, slower: float) -> float:
        truth = np.log([1.0, 1 + slower, 1.0])
        logs = truth + np.random.default_rng(5).normal(0.0, of_a_trial, (many, blocks, 3))
        looks, ever = Looks(planned=blocks, late=True), np.zeros(many, dtype=bool)
        for look in range(looks.first, blocks + 1):
            pairs = paired_differences(logs[:, :look], twins=(0, 2))
            half = half_widths(pairs, looks.level(look, allowed))[:, 0]
            ever |= np.abs(pairs.mean[:, 0]) > half
        return float(ever.mean())

    assert found(5, 0.05) < 0.65
    assert found(ENOUGH, 0.05) > 0.85
    assert found(ENOUGH, 0.0) <= most_misses(many, allowed)
