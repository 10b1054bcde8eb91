"""How many looks a run shares its error rate out over, and what it notes of the machine."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from support.small_run import a_run, sentinels
from support.small_study import a_study, a_trial, matchups, trials
from webdyno.run.budget.planned import blocks_by_pace, blocks_planned
from webdyno.run.judgement.conditions import conditions_of
from webdyno.run.judgement.judge import judge
from webdyno.store.records import TrialRecord, Warmup


def test_blocks_follow_from_the_budget() -> None:
    study = a_study(budget="120s", warmup={"min": "500ms", "max": "2s"})
    # Eight trials of at least 0.5 + 1 + 0.3 s, and a sentinel: 15.5 s a block.
    assert blocks_planned(study, matchups(study)) == math.ceil(120 / 15.5)
    assert blocks_planned(a_study(budget="1s"), matchups(study)) == 3
    assert blocks_planned(a_study(budget="9h"), matchups(study)) == 30


def test_blocks_follow_from_what_the_first_ones_took() -> None:
    study = a_study(budget="100s", blocks={"min": 3, "max": 30, "looks": "late"})
    made = [
        trial
        for block in range(3)
        for load in ("full", "steady")
        for trial in timed(block, load, 1.0)
    ]
    assert blocks_by_pace(study, made[:12]) is None  # Nothing is looked at yet.
    # Two loads of three trials of a second each.
    assert blocks_by_pace(study, made) == 105 // 6
    slow = [trial for block in range(3) for trial in timed(block, "full", 20.0)]
    assert blocks_by_pace(study, slow) == 3


def test_a_first_block_without_shared_starts_is_not_the_pace() -> None:
    study = a_study(budget="100s", blocks={"min": 3, "max": 30, "looks": "late"})
    made = [
        trial
        for block, seconds in enumerate((4.0, 1.0, 1.0))
        for load in ("full", "steady")
        for trial in timed(block, load, seconds)
    ]
    # 36 s are gone; each further block takes 6 s.
    assert blocks_by_pace(study, made) == 3 + (105 - 36) // 6


def timed(block: int, load: str, seconds: float) -> list[TrialRecord]:
    began = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        a_trial(server, block, 1000.0).model_copy(
            update={
                "load": load, "started": began, "finished": began + timedelta(seconds=seconds),
            }
        )
        for server in ("go/gin", "go/chi", "node/http")
    ]  # fmt: skip


def test_a_planned_run_resolves_more() -> None:
    study = a_study()
    planned = a_run("r", trials(4), planned_blocks=4, sentinels=[])
    (few,) = judge(study, trials(4), conditions_of(planned, study))
    (many,) = judge(study, trials(4))
    assert few.resolution is not None
    assert many.resolution is not None
    assert few.resolution < 0.9 * many.resolution


def test_slow_blocks_are_noted_by_entries_and_by_the_sentinel() -> None:
    study = a_study()
    seen = sentinels(1000.0)
    seen[4] = seen[4].model_copy(update={"throughput_rps": 700.0})
    run = a_run("r", trials(6), sentinels=seen)
    (verdict,) = judge(study, run.trials, conditions_of(run, study))
    assert verdict.machine is not None
    assert verdict.machine.slow == [4]
    assert 0.65 < (verdict.machine.sentinel[4] or 0) < 0.75
    assert 0.9 < (verdict.machine.speed[4] or 0) < 1.1


def test_never_steady_is_a_verdict_of_its_own() -> None:
    def warmed(trial: TrialRecord) -> TrialRecord:
        steady = trial.server != "go/chi" or trial.block == 0
        after, kind = (0.4, "warming") if steady else (None, "never")
        warmup = Warmup(seconds=2.0, steady=steady, steady_after_s=after, kind=kind)
        return trial.model_copy(update={"warmup": warmup})

    (verdict,) = judge(a_study(), [warmed(trial) for trial in trials(4)])
    assert verdict.warmups["go/chi"].never_steady
    assert verdict.warmups["go/chi"].never == 3
    assert not verdict.warmups["go/gin"].never_steady
    assert verdict.warmups["go/gin"].steady_after_s == 0.4


def test_a_cell_whose_blocks_were_its_own_is_held_against_its_own_sentinels() -> None:
    among = [
        one.model_copy(update={"scenario": "json", "load": "closed-8", "throughput_rps": 500.0})
        for one in sentinels(1000.0)
    ]
    run = a_run("r", trials(3), sentinels=[*sentinels(1000.0), *among])
    conditions = conditions_of(run, a_study())
    mine, other = (conditions.speeds_of(2, cell) for cell in (("json", "closed-8"), ("json", "x")))
    assert mine is not None
    assert other is not None
    assert (mine == 500.0).all()
    assert (other != 500.0).all()
