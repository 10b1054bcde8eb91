"""What a run and its verdicts make of servers that were not shown to be warm."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.planned_run import a_context, as_expected, study_of, timed
from support.small_run import a_run
from support.small_study import a_study, trials
from webdyno.run.blocks.schedule import next_unit
from webdyno.run.judgement.conditions import conditions_of
from webdyno.run.judgement.describe import describe_warmups
from webdyno.run.judgement.judge import judge, still_needed
from webdyno.run.judgement.unrankable import still_warming
from webdyno.store.records import TrialRecord, Warmup

COLD = Warmup(seconds=2.0, steady=False, kind="never", reason="its speed still changed")
HOT = Warmup(seconds=1.0, steady=True, kind="warming", steady_after_s=0.4)


def chilled(all_: list[TrialRecord], entry: str, *blocks: int) -> list[TrialRecord]:
    """The same, with `entry` still cold in `blocks`, and warm elsewhere."""
    return [
        one.model_copy(
            update={"warmup": COLD if one.entry == entry and one.block in blocks else HOT}
        )
        for one in all_
    ]


def test_whoever_was_warm_often_enough_is_not_still_warming() -> None:
    assert still_warming(chilled(trials(4), "go/chi"), 3) == {}
    assert still_warming(chilled(trials(4), "go/chi", 1), 3) == {}


def test_whoever_was_not_is_with_the_reason_and_how_often() -> None:
    assert still_warming(chilled(trials(4), "go/chi", 1, 2), 3) == {
        "go/chi": "still warming in 2 of 4 trials: its speed still changed"
    }
    # Before there could be enough, only one that was never warm.
    assert still_warming(chilled(trials(2), "go/chi", 0), 3) == {}
    assert list(still_warming(chilled(trials(2), "go/chi", 0, 1), 3)) == ["go/chi"]


def test_what_the_measurement_showed_counts_as_the_warm_up_does() -> None:
    compiled = "its runtime compiled while it was measured (20% of its CPU time)"
    seen = [
        one.model_copy(update={"not_steady": compiled if one.entry == "go/chi" else ""})
        for one in trials(3)
    ]
    assert still_warming(seen, 3) == {"go/chi": f"still warming in 3 of 3 trials: {compiled}"}


def test_trials_that_failed_are_not_called_warming() -> None:
    seen = [
        one.model_copy(update={"status": "error"}) if one.entry == "go/chi" else one
        for one in chilled(trials(3), "go/chi", 0, 1, 2)
    ]
    assert still_warming(seen, 3) == {}


def test_a_generator_that_is_the_limit_is_not_called_a_cold_server() -> None:
    seen = [
        one.model_copy(update={"bottleneck": "generator-bound"}) if one.entry == "go/chi" else one
        for one in chilled(trials(3), "go/chi", 0, 1, 2)
    ]
    assert still_warming(seen, 3) == {}
    (verdict,) = judge(a_study(), seen)
    (left,) = (one for one in verdict.not_ranked if one.entry == "go/chi")
    assert (left.kind, left.reason[:15]) == ("", "generator-bound")


def test_a_cold_server_is_shown_but_settles_nothing() -> None:
    (verdict,) = judge(a_study(), chilled(trials(4), "go/chi", 0, 1, 2))
    (left,) = verdict.not_ranked
    assert (left.entry, left.kind) == ("go/chi", "still-warming")
    assert left.reason.startswith("not settled: still warming in 3 of 4 trials")
    assert verdict.medians["go/chi"] == pytest.approx(4000, rel=0.05)
    assert all("go/chi" not in group for group in verdict.groups)
    assert all("go/chi" not in (ratio.of, ratio.to) for ratio in verdict.ratios)
    assert not verdict.settled
    # The others are settled beside it.
    assert verdict.groups[0] == ["go/gin"]


def test_single_cold_trials_are_left_out_of_the_ratios() -> None:
    seen = chilled(trials(5), "go/chi", 2)
    assert seen[11].entry == "go/chi"
    measured = seen[11].measurement
    assert measured is not None
    seen[11] = seen[11].model_copy(
        update={"measurement": measured.model_copy(update={"throughput_rps": 40.0})}
    )
    (verdict,) = judge(a_study(), seen)
    assert verdict.settled
    assert verdict.medians["go/chi"] == pytest.approx(4000, rel=0.05)


def test_as_long_as_one_is_warming_all_of_its_cell_are_measured() -> None:
    settled = trials(6)
    assert still_needed(a_study(), settled) == set()
    needed = still_needed(a_study(), chilled(settled, "go/chi", 0, 1, 2, 3))
    assert {entry for entry, _, _ in needed} == {
        "node/http", "go/gin", "go/gin (control)", "go/chi"
    }  # fmt: skip


def test_the_summary_of_warm_ups() -> None:
    unsure = Warmup(seconds=3.0, steady=False, kind="unsure")
    mine = [one for one in trials(4) if one.entry == "go/gin"]
    ends = (HOT, COLD, unsure, HOT)
    seen = [one.model_copy(update={"warmup": end}) for one, end in zip(mine, ends, strict=True)]
    assert describe_warmups(trials(1)) == {}
    (summary,) = describe_warmups(seen).values()
    assert (summary.trials, summary.never, summary.unsure) == (4, 1, 1)
    assert (summary.seconds, summary.steady_after_s) == (1.5, 0.4)
    (cold,) = describe_warmups(seen[1:2]).values()
    assert cold.steady_after_s is None


def test_a_run_goes_on_where_its_plan_is_done_but_somebody_is_warming(tmp_path: Path) -> None:
    def run_until_done(warmup: Warmup, folder: Path) -> int:
        folder.mkdir()
        study = study_of("700s")
        context = a_context(study, folder)
        blocks = 0
        for _ in range(60):
            unit = next_unit(context)
            if unit is None or not unit.needed:
                break
            blocks = max(blocks, unit.block + 1)
            for place, matchup in unit.order:
                index = unit.block * len(context.matchups) + place
                cell = (matchup.cell.title, matchup.cell.load.label())
                trial = timed(matchup.entry.label, *cell, unit.block, as_expected(*cell))
                end = warmup if trial.entry == "go/chi" else HOT
                context.done[index] = trial.model_copy(update={"index": index, "warmup": end})
                context.run.trials.append(context.done[index])
                context.budget.spent_before += trial.took_s
        context.store.close()
        return blocks

    warm, cold = run_until_done(HOT, tmp_path / "a"), run_until_done(COLD, tmp_path / "b")
    assert warm == 3
    assert cold > warm


def test_three_warm_trials_are_enough_however_many_blocks_a_study_asks_for() -> None:
    study = a_study(blocks={"min": 4})
    for cold, kinds in (((0,), []), ((0, 3), ["still-warming"])):
        run = a_run("r", chilled(trials(4), "go/chi", *cold), sentinels=[])
        (verdict,) = judge(study, run.trials, conditions_of(run, study))
        assert [left.kind for left in verdict.not_ranked] == kinds
