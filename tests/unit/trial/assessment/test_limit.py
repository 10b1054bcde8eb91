"""What limited a trial, by its measurement."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from support.synthetic_run import build_run
from webdyno.catalog.loads.load import Closed, Iterations, Load, Objective, Open
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.machine.share import Share
from webdyno.store.counts import RequestCounts
from webdyno.store.records import CpuUse, Measurement
from webdyno.trial.assessment.limit import limit_of_measurement
from webdyno.trial.plan import TrialPlan
from webdyno.verdict.limits.limit import Limit

TWO_CORES = Placement((0,), (1,), (1,))
OPEN = Open(kind="open", phases=["1000/s:5s"])
CLOSED = Closed(kind="closed", connections=64, duration=5.0)


def use(share: float, cores: float = 1.0, **more: Any) -> CpuUse:
    """CPU time of five seconds."""
    return CpuUse(user_s=5 * share * cores, system_s=0.0, cores=cores, share=share, **more)


def measured(cpu: dict[str, CpuUse], **more: Any) -> Measurement:
    """Five seconds, in which 5000 requests were answered after a millisecond each."""
    made = build_run(blocks=1, seconds=2).trials[0].measurement
    assert made is not None
    assert made.latency_us is not None
    counts = RequestCounts(offered=5000, sent=5000, ok=5000)
    latency = made.latency_us.model_copy(update={"mean": 1e3, "min": 1e2})
    known = {"elapsed_s": 5.0, "throughput_rps": 1000.0, "counts": counts, "latency_us": latency}
    return made.model_copy(update={"cpu": cpu, **known, **more})


def latency(mean_s: float, least_s: float) -> dict[str, Any]:
    made = measured({}).latency_us
    assert made is not None
    return {"latency_us": made.model_copy(update={"mean": mean_s * 1e6, "min": least_s * 1e6})}


def limit(
    seen: Measurement,
    load: Load = CLOSED,
    placement: Placement = TWO_CORES,
    share: Share | None = None,
) -> Limit:
    plan = SimpleNamespace(load=load, placement=placement, share=share or Share())
    return limit_of_measurement(seen, cast(TrialPlan, plan))


@pytest.mark.parametrize(
    ("late", "of_latency", "found"),
    [
        # 700/s of 1000/s for five seconds: the rest was answered in the two seconds after.
        (1500, latency(1.07, 0.0005), "server-bound"),
        (250, latency(0.125, 0.0005), "server-bound"),
        # What any end finds under way; and each answer takes a second, however few there are.
        (5, latency(0.004, 0.001), "offered-load"),
        (1000, latency(1.0, 1.0), "offered-load"),
        (0, latency(0.004, 0.001), "offered-load"),
    ],
)
def test_a_rate_that_was_only_met_after_the_end_is_not_the_limit(
    late: int, of_latency: dict[str, Any], found: str
) -> None:
    cpu = {"server": use(0.99), "generator": use(0.3)}
    assert limit(measured(cpu, ok_after_end=late, **of_latency), OPEN).kind == found


def test_what_waited_for_a_connection_after_the_schedule_is_late_as_well() -> None:
    # 256 connections were all taken: 244 more were sent within a quarter of a second after it.
    cpu = {"server": use(0.99), "generator": use(0.3)}
    seen = measured(cpu, ok_after_end=64, elapsed_s=5.25, **latency(0.16, 0.0005))
    assert limit(seen, OPEN).kind == "server-bound"


WITH_DATABASE = Placement((0,), (1,), (0,), ("server", "services"))
ONE_CORE = Placement((0,), (0,), (0,), ("server", "generator", "services"))


@pytest.mark.parametrize(
    ("shares", "where", "found", "told"),
    [
        (
            (0.5, 0.45, 0.3),
            WITH_DATABASE,
            "server-bound",
            "the server used 50% and postgresql 45% of the core they share",
        ),
        (
            (0.3, 0.65, 0.3),
            WITH_DATABASE,
            "service-bound",
            "postgresql used 65% and the server 30% of the core they share",
        ),
        ((0.6, 0.35, 0.3), TWO_CORES, "waiting", "server 60%, postgresql 35%, generator 30%"),
        (
            (0.2, 0.5, 0.28),
            ONE_CORE,
            "service-bound",
            "postgresql used 50%, the generator 28% and the server 20% of the core they share",
        ),
        ((0.3, 0.2, 0.45), ONE_CORE, "generator-bound", "the generator used 45%, the server 30%"),
        ((0.3, 0.2, 0.25), ONE_CORE, "waiting", "server 30%, generator 25%, postgresql 20%"),
    ],
)
def test_on_shared_cores_all_shares_count_and_each_is_told(
    shares: tuple[float, float, float], where: Placement, found: str, told: str
) -> None:
    server, database, generator = shares
    cpu = {"server": use(server), "postgresql": use(database), "generator": use(generator)}
    limited = limit(measured(cpu, **latency(0.064, 0.001)), placement=where)
    assert limited.kind == found
    assert told in limited.reason


def test_shares_of_the_same_cores_add_up() -> None:
    # 1.36 cores of two, and 0.5 of a core on one thread: 93% of both, not 118%.
    cpu = {"server": use(0.68, 2.0), "generator": use(0.5)}
    where = Placement((0, 1), (0, 1), (0, 1), ("server", "generator"))
    assert "the server used 68% and the generator 25% of the 2 cores" in (
        limit(measured(cpu), placement=where).reason
    )


def test_a_generator_whose_threads_are_not_told_apart_is_full_by_all_of_its_cores() -> None:
    cpu = {"server": use(0.4), "generator": use(0.5, 2.0)}
    assert limit(measured(cpu, **latency(0.064, 0.001))).kind == "waiting"
    limited = limit(measured({**cpu, "generator": use(0.95, 2.0)}))
    assert limited.kind == "generator-bound"
    assert limited.reason == "the generator used 95% of its 2 cores, the server only 40%"


def test_one_full_thread_of_a_service_is_the_limit() -> None:
    cpu = {"server": use(0.2, 4.0), "generator": use(0.3), "redis": use(0.25, 4.0)}
    assert limit(measured(cpu, **latency(0.064, 0.001))).kind == "waiting"
    cpu["redis"] = use(0.25, 4.0, busiest_thread_share=0.98)
    limited = limit(measured(cpu))
    assert limited.kind == "service-bound"
    assert limited.reason == "redis was limited by one of its threads, which used 98% of a core"


def test_one_thread_that_was_ready_but_did_not_run_is_disturbed() -> None:
    thread = {"busiest_thread_share": 0.75, "busiest_thread_ready_share": 0.98}
    cpu = {"server": use(0.13, 6.0, **thread), "generator": use(0.3)}
    assert limit(measured(cpu, foreign_cpu_share=0.2)).kind == "machine-noise"


@pytest.mark.parametrize(
    ("load", "told"),
    [
        (Closed(kind="closed", connections=1, duration=5.0), "only 1 connection"),
        (Iterations(kind="iterations", users=2, iterations=9), "only 2 connections"),
    ],
)
def test_a_load_of_few_connections_is_told(load: Load, told: str) -> None:
    seen = measured({"server": use(0.12, 6.0), "generator": use(0.3)}, **latency(0.001, 0.001))
    limited = limit(seen, load)
    assert limited.kind == "waiting"
    assert told in limited.reason


def test_the_rate_at_an_objective_is_limited_by_a_server_that_is_nearly_full() -> None:
    seen = measured({"server": use(0.85), "generator": use(0.3)})
    limited = limit(seen, Objective(kind="objective", objective="p99 < 10ms"))
    assert limited.kind == "server-bound"
    assert limited.reason == "requests queued for the server, which used 85% of its cores"


def test_a_server_at_its_quota_is_the_limit() -> None:
    cpu = {"server": use(0.99, 0.5), "generator": use(0.3)}
    limited = limit(measured(cpu, foreign_cpu_share=0.2))
    assert limited.kind == "server-bound"
    assert limited.reason == "the server used 99% of its quota of 0.5 cores"


def test_a_quota_that_pauses_everybody_is_told() -> None:
    cpu = {"server": use(0.4), "generator": use(0.3)}
    assert limit(measured(cpu, paused_by_quota_share=0.02)).kind != "machine-noise"
    limited = limit(measured(cpu, paused_by_quota_share=0.6))
    assert limited.kind == "machine-noise"
    assert "paused it in 60% of the quota's periods" in limited.reason
