"""Where a plan gives no number of machines, and the reason that it gives."""

from __future__ import annotations

import pytest

from support.study_with import study_with
from webdyno.capacity.objective import objective
from webdyno.capacity.plan import STILL_WARMING, Demand, plan, plans
from webdyno.capacity.traffic import DayCurve
from webdyno.store.counts import RequestCounts
from webdyno.store.records import RunRecord, TrialRecord, Warmup

EVEN = DayCurve.with_peak(1.0)
GOAL = objective("p99 < 100ms, errors < 5%")


def test_errors_are_not_mended_by_machines(trials: list[TrialRecord]) -> None:
    measured = trials[0].measurement
    assert measured is not None
    counts = measured.counts + RequestCounts(reset=10**9)
    failing = measured.model_copy(update={"counts": counts})
    trial = trials[0].model_copy(update={"measurement": failing})
    found = plan([trial], Demand(1e6, EVEN, GOAL))
    assert found.machines.needed is None
    assert "failed" in found.reason


@pytest.mark.slow
def test_a_server_that_waits_says_nothing_of_machines(trials: list[TrialRecord]) -> None:
    def with_cpu(trial: TrialRecord, share: float, thread: float) -> TrialRecord:
        measured = trial.measurement
        assert measured is not None
        own = measured.cpu["server"]
        scale = share / own.share
        cpu = own.model_copy(
            update={
                "share": share, "user_s": own.user_s * scale, "system_s": own.system_s * scale,
                "run_delay_s": 0.0, "busiest_thread_share": thread,
                "busiest_thread_ready_share": thread,
            }
        )  # fmt: skip
        changed = measured.model_copy(update={"cpu": {"server": cpu}})
        return trial.model_copy(update={"measurement": changed, "bottleneck": "machine-noise"})

    demand = Demand(25e8, EVEN, GOAL)
    idle = plan([with_cpu(one, 0.04, 0.04) for one in trials], demand)
    assert idle.reason.startswith("the load kept it only 4% busy")
    assert (idle.machines.needed, idle.published.needed) == (None, None)
    # One thread that is full is as much as such a server can do.
    assert plan([with_cpu(one, 0.25, 0.98) for one in trials], demand).reason == ""


def test_a_generator_without_a_distribution(trials: list[TrialRecord]) -> None:
    measured = trials[0].measurement
    assert measured is not None
    trial = trials[0].model_copy(
        update={"measurement": measured.model_copy(update={"histograms": {}})}
    )
    found = plan([trial], Demand(25e6, EVEN, GOAL))
    assert (found.simulated, found.machines.needed) == (None, None)
    assert found.published.needed == 1
    assert "no latency distribution" in found.reason


def test_an_open_load_shows_no_capacity(run: RunRecord) -> None:
    study = study_with(
        run.study, {"loads": [{**run.study.as_stored()["loads"][0], "kind": "open"}]}
    )
    assert plans(run.model_copy(update={"study": study}), Demand(1e6, EVEN, GOAL)) == []


def cold(trial: TrialRecord) -> TrialRecord:
    warmup = Warmup(seconds=2.0, steady=False, kind="never", reason="its speed was still changing")
    return trial.model_copy(update={"warmup": warmup})


def test_a_server_that_was_still_warming_gets_no_number_of_machines(
    trials: list[TrialRecord],
) -> None:
    demand = Demand(daily=1e9, curve=EVEN, goal=GOAL)
    found = plan([cold(one) for one in trials], demand)
    assert found.reason == STILL_WARMING
    assert (found.machines.needed, found.published.needed) == (None, None)
    # Its figures are shown all the same.
    assert found.throughput.rps > 0


@pytest.mark.slow
def test_blocks_in_which_it_was_still_warming_are_left_out(trials: list[TrialRecord]) -> None:
    demand = Demand(daily=1e9, curve=EVEN, goal=GOAL)
    measured = trials[0].measurement
    assert measured is not None
    slow = cold(trials[0]).model_copy(
        update={"measurement": measured.model_copy(update={"throughput_rps": 10.0})}
    )
    found = plan([slow, *trials[1:]], demand)
    assert found.reason == ""
    assert found.blocks == len(trials) - 1
    assert found.throughput.rps == plan(trials[1:], demand).throughput.rps


@pytest.mark.slow
def test_it_is_told_in_how_many_blocks_the_objective_is_missed_even_when_idle(
    trials: list[TrialRecord],
) -> None:
    def at(trial: TrialRecord, rps: float) -> TrialRecord:
        assert trial.measurement is not None
        slow = trial.measurement.model_copy(update={"throughput_rps": rps})
        return trial.model_copy(update={"measurement": slow})

    demand = Demand(daily=1e9, curve=EVEN, goal=GOAL)
    one = plan([at(trials[0], 2.0), *trials[1:]], demand)
    assert one.reason == "in 1 of 3 blocks it misses the objective even when idle"
    every = plan([at(trial, 2.0) for trial in trials], demand)
    assert every.reason == "it misses the objective even when idle"
    assert every.machines.needed is None
