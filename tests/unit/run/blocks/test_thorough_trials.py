"""Which trials prove more: all until one has passed, and a part of the later ones, by lot."""

from __future__ import annotations

from pathlib import Path

from support.planned_run import a_context, study_of, timed
from webdyno.run.blocks.context import has_restarted, needs_no_restart, needs_no_wait


def test_further_starts_are_made_until_a_trial_got_beyond_them(tmp_path: Path) -> None:
    context = a_context(study_of("700s"), tmp_path)
    matchup = next(one for one in context.matchups if not one.entry.control)
    label, cell = matchup.entry.label, matchup.cell
    for block, steps, beyond in [
        (0, ["start"], False),
        # One that does not come up again is an error of that trial, and has shown nothing.
        (1, ["start", "verify", "restart"], False),
        (2, ["start", "verify", "restart", "warm-up", "settle"], True),
        (3, ["start", "verify", "warm-up", "settle"], True),
    ]:
        trial = timed(label, cell.title, "another", block, 1.0)
        made = trial.model_copy(update={"step_seconds": dict.fromkeys(steps, 0.1)})
        context.run.trials.append(made)
        assert has_restarted(context, matchup) is beyond
        without = sum(needs_no_restart(context, matchup) for _ in range(400))
        # Of 400, a quarter is made again: 100, give or take nine.
        assert 220 < without < 380 if beyond else without == 0
    others = [one for one in context.matchups if one.entry.label != label]
    assert not any(has_restarted(context, one) for one in others)
    context.store.close()


def test_counters_are_waited_for_until_a_trial_has_passed_and_then_by_lot(tmp_path: Path) -> None:
    context = a_context(study_of("700s"), tmp_path)
    matchup, other = [one for one in context.matchups if not one.entry.control][:2]
    label, cell = matchup.entry.label, matchup.cell
    for block, status in enumerate(["failed", "error", "ok", "failed"]):
        trial = timed(label, cell.title, "another", block, 1.0)
        context.run.trials.append(trial.model_copy(update={"status": status}))
        without = sum(needs_no_wait(context, matchup) for _ in range(400))
        # Of 400, a quarter waits again: 100, give or take nine.
        assert 220 < without < 380 if block >= 2 else without == 0
    assert not any(needs_no_wait(context, other) for _ in range(99))
    context.store.close()
