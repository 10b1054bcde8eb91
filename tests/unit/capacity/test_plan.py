"""From a run's trials to a number of machines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support.output_schemas import validated
from support.study_with import study_with
from support.synthetic_run import SERVERS, build_run
from webdyno.capacity.objective import objective
from webdyno.capacity.plan import Demand, over_blocks, plan, plans
from webdyno.capacity.records import Rate
from webdyno.capacity.service import MeasuredService, service
from webdyno.capacity.simulate import SimulatedMachine
from webdyno.capacity.traffic import DayCurve
from webdyno.cli.main import main
from webdyno.runtime.home import Home
from webdyno.store.histograms import Distribution
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.search import SearchRecord
from webdyno.store.store import Store

EVEN = DayCurve.with_peak(1.0)
GOAL = objective("p99 < 100ms, errors < 5%")


def test_the_work_fills_the_machine_at_the_measured_throughput(trials: list[TrialRecord]) -> None:
    measured = trials[0].measurement
    assert measured is not None
    found = service(measured)
    assert found is not None
    work = found.work_s(50_000, np.random.default_rng(1))
    assert float(work.mean()) * measured.throughput_rps == pytest.approx(found.cores, rel=0.02)
    spread = float(work.std() / work.mean())
    values, counts = found.latencies.values_us, found.latencies.counts
    mean = float(np.average(values, weights=counts))
    expected = float(np.sqrt(np.average((values - mean) ** 2, weights=counts))) / mean
    assert spread == pytest.approx(expected, rel=0.1)


def test_blocks_give_an_interval() -> None:
    alone, alike, apart = over_blocks([100.0]), over_blocks([99, 101]), over_blocks([50, 200])
    assert (alone.rps, alone.low) == (pytest.approx(100.0), None)
    assert alike.low is not None
    assert apart.low is not None
    assert apart.low < alike.low < 100 < (alike.high or 0) < (apart.high or 0)
    # Student's t with two degrees of freedom: 4.303 standard errors.
    three = over_blocks([np.e, 1.0, 1 / np.e])
    assert np.log(three.high or 0) == pytest.approx(4.303 / np.sqrt(3), rel=1e-3)
    assert over_blocks([0.0, 5.0]).rps == 0.0


@pytest.mark.slow
def test_the_day_of_a_machine_meets_the_objective_that_the_machines_are_for() -> None:
    """Also where its blocks differ: one of them alone would need more machines."""
    made = build_run(blocks=5, seconds=3, scenarios=("json",), servers=SERVERS[:4])
    found = [t for t in made.trials if t.entry == "go/net-http"]
    for trial, speed in zip(found, (0.55, 0.6, 0.7, 1.4, 1.5), strict=True):
        assert trial.measurement is not None
        trial.measurement.throughput_rps *= speed
    made_plan = plan(found, Demand(25e9, DayCurve.of_the_rule(), GOAL))
    # With so many machines each has about as much as it carries.
    assert (made_plan.machines.needed or 0) > 20
    assert 0.8 < made_plan.day[0].utilisation < 1
    assert made_plan.day[0].latency_s <= GOAL.bound_s


@pytest.mark.slow
def test_a_plan(trials: list[TrialRecord]) -> None:
    demand = Demand(25e8, DayCurve.of_the_rule(), GOAL)
    found = plan(trials, demand)
    rate = found.throughput.rps
    assert found.published.needed == np.ceil(demand.published_rps / rate)
    assert found.simulated is not None
    assert found.simulated.rps < rate
    assert found.machines.needed == np.ceil(demand.peak_rps / found.simulated.rps)
    assert found.machines.low is not None
    assert found.machines.high is not None
    assert found.machines.low <= found.machines.needed <= found.machines.high
    assert len(found.day) == 24
    assert found.day[0].latency_s <= GOAL.bound_s
    more = plan(trials, Demand(25e8, DayCurve.of_the_rule(), GOAL, headroom=1.0))
    assert more.machines.needed is not None
    assert more.machines.needed >= 2 * found.machines.needed - 1


@pytest.mark.slow
def test_a_server_of_one_thread_has_one_core_however_many_it_was_given(
    trials: list[TrialRecord],
) -> None:
    # 5 ms of work, one at a time, 16 users: 200/s.
    measured = trials[0].measurement
    assert measured is not None

    def on(cores: float, share: float, thread: float) -> MeasuredService:
        used = {
            "cores": cores, "share": share, "user_s": cores * share * 10, "system_s": 0.0,
            "run_delay_s": 0.0, "busiest_thread_share": thread,
            "busiest_thread_ready_share": thread,
        }  # fmt: skip
        cpu = {"server": measured.cpu["server"].model_copy(update=used)}
        changes = {"cpu": cpu, "throughput_rps": 200.0}
        found = service(measured.model_copy(update=changes))
        assert found is not None
        return found

    alone, among = on(1, 1.0, 1.0), on(8, 1 / 8, 1.0)
    assert (alone.cores, among.cores) == (1, 1)
    assert among.mean_work_s == pytest.approx(0.005)
    goal = objective("p99 < 30ms")
    rates = [
        SimulatedMachine(one, goal, EVEN, "fifo", seed=1).carried_rps() for one in (alone, among)
    ]
    assert rates[0] == rates[1] > 0
    # Three full threads of eight cores, and all cores full by threads that are not.
    assert on(8, 3.1 / 8, 1.0).cores == 3
    assert on(8, 0.9, 1.0).cores == on(8, 0.9, 0.5).cores == 8


def test_stalls_of_a_closed_load_are_seen_by_the_time_they_take() -> None:
    # Of 100 users with answers of 10 ms, all stand still for 0.5 s once in 10 s.
    values, counts = np.array([1e4, 5e5]), np.array([95_000, 100], dtype=np.int64)
    stalling = MeasuredService(9510.0, 1, Distribution(values, counts), 0.0)
    assert stalling.latencies.quantile(0.99) == 1e4
    assert stalling.stalled_share(0.1) == pytest.approx(0.05)
    assert stalling.stalled_share(0.6) == 0.0
    # A heavy load alone, in which all wait for long, is none.
    queued = Distribution(np.array([2e5, 3e5]), np.array([500, 500], dtype=np.int64))
    assert MeasuredService(400.0, 1, queued, 0.0).stalled_share(0.1) == 0.0


@pytest.mark.slow
def test_plans_of_a_run(run: RunRecord) -> None:
    found = plans(run, Demand(25e8, DayCurve.of_the_rule(), GOAL))
    assert "go/net-http" in [p.entry for p in found]
    assert not any("control" in p.entry for p in found)
    needed = [p.machines.needed for p in found if p.machines.needed is not None]
    assert needed == sorted(needed)
    assert next(p for p in found if p.entry == "rust/axum").limited_by_generator


@pytest.mark.slow
def test_a_search_for_the_same_objective_stands_beside(run: RunRecord) -> None:
    search = SearchRecord(
        objective="p99 < 100ms", quantile=0.99, limit_s=0.1, errors_share=0.05, tolerance=0.05,
        probe_rps=1.0, kind="met", capacity_rps=5000.0, low_rps=4900.0, high_rps=5100.0,
    )  # fmt: skip
    changes = {"load": "within-100ms", "search": search}
    searched = [
        trial.model_copy(update=changes) for trial in run.trials if trial.entry == "go/net-http"
    ]
    loads = [*run.study.as_stored()["loads"], {"name": "within-100ms", "kind": "objective"}]
    more = run.model_copy(
        update={
            "trials": [*run.trials, *searched],
            "study": study_with(run.study, {"loads": loads}),
        }
    )
    found = {p.entry: p.searched for p in plans(more, Demand(1e6, EVEN, GOAL))}
    assert found["go/net-http"] is not None
    assert found["go/net-http"].rps == pytest.approx(5000.0)
    assert found["node/http"] is None
    other = objective("p99 < 50ms")
    assert all(p.searched is None for p in plans(more, Demand(1e6, EVEN, other)))
    # Other errors are another objective, and a search that met it at no rate is not passed over.
    strict = objective("p99 < 100ms, errors < 0.01%")
    assert all(p.searched is None for p in plans(more, Demand(1e6, EVEN, strict)))
    never = search.model_copy(update={"kind": "not-met", "capacity_rps": 0.0})
    for trial in searched[: len(searched) // 2 + 1]:
        trial.search = never
    found = {p.entry: p.searched for p in plans(more, Demand(1e6, EVEN, GOAL))}
    assert found["go/net-http"] == Rate(0.0)


@pytest.mark.slow
def test_the_command(
    run: RunRecord,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    store = Store.open(Home.default().database)
    store.save_run(run)
    for trial in run.trials:
        store.add_trial(trial.model_copy(update={"run_id": run.id}))
    store.close()
    arguments = ["capacity", "--page-views", "2G/day", "--servers", "go/net-http, node/http,"]
    assert main([*arguments, "--json"]) == 0
    document = validated("capacity", capsys.readouterr().out)
    assert document["published_rule_rps"] == pytest.approx(0.8 * 2e9 / 34_560)
    assert {p["entry"] for p in document["plans"]} == {"go/net-http", "node/http"}
    assert main([*arguments, "--headroom", "0.5", "--queue", "fifo", "--peak", "3"]) == 0
    shown = capsys.readouterr().out
    assert "3.00 times its mean" in shown
    assert "node/http" in shown
    assert main([*arguments, "--servers", "node/nothing"]) == 2
    assert "not in run" in capsys.readouterr().err
