"""What limited a trial, by its measurement."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from support.synthetic_run import build_run
from webdyno.catalog.load import Closed, Load, Open
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.machine.share import Share
from webdyno.store.records import CpuUse, Measurement
from webdyno.trial.assessment.limit import _shares, bottleneck_of, shares_of
from webdyno.trial.plan import TrialPlan
from webdyno.verdict.bottleneck import Bottleneck

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
    counts = {**dict.fromkeys(made.counts, 0), **dict.fromkeys(("offered", "sent", "ok"), 5000)}
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
) -> Bottleneck:
    plan = SimpleNamespace(load=load, placement=placement, share=share or Share())
    return bottleneck_of(seen, cast(TrialPlan, plan))


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


@pytest.mark.parametrize(
    ("server", "database", "shared", "expected"),
    [
        (0.6, None, (), (0.6, None)),
        (0.6, 0.35, (), (0.6, 0.35)),
        (0.6, 0.35, ("server", "services"), (0.95, 0.35)),
        (0.3, 0.65, ("server", "services"), (0.3, 0.95)),
    ],
)
def test_on_a_shared_core_the_busier_one_answers_for_both(
    server: float,
    database: float | None,
    shared: tuple[str, ...],
    expected: tuple[float, float | None],
) -> None:
    cpu = {"server": use(server), "generator": use(0.5)}
    if database is not None:
        cpu["postgresql"] = use(database)
    assert _shares(shares_of(cpu, shared), shared) == pytest.approx(expected)


def test_shares_of_the_same_cores_add_up() -> None:
    # 1.36 cores of two, and 0.44 of a core on one thread: 90% of both, not 112%.
    cpu = {
        "server": CpuUse(user_s=1.36, system_s=0.0, cores=2.0, share=0.68),
        "generator": CpuUse(user_s=0.44, system_s=0.0, cores=1.0, share=0.44),
    }
    assert sum(shares_of(cpu, ("server", "generator", "services")).values()) == pytest.approx(0.90)
    assert shares_of(cpu, ())["generator"] == 0.44
