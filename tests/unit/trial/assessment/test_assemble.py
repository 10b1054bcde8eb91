"""The record that is made of what an observer saw."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from webdyno.generators.external import FinishedProgram
from webdyno.generators.result import LoadResult
from webdyno.runtime.machine.core_seconds import CoreSeconds
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.machine.share import Share
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import CpuUse
from webdyno.trial.assessment.assemble import (
    _cpu,
    _cpu_by_role,
    _observations,
    _on_generators,
    _on_servers,
)
from webdyno.trial.loads.loading import EDGES, WatchedLoad
from webdyno.trial.plan import TrialPlan
from webdyno.trial.watching.measure import CoreUsage
from webdyno.trial.watching.observed import Mark, TreeSample, TreeTotals

PLAN = cast(
    TrialPlan, SimpleNamespace(placement=Placement((0,), (1,), (1,)), services=[], server_cores=1.0)
)


def seen(t_s: float, user_s: float, system_s: float) -> Mark:
    used = TreeTotals(cpu_user_s=user_s, cpu_system_s=system_s)
    return Mark(t_s=t_s, roles={"mariadb": used})


def test_a_role_that_did_nothing_has_used_no_less_than_nothing() -> None:
    # What a database that waits was once seen with: totals that differ in their last bit.
    before, after = seen(1.0, 0.11, 0.1 + 0.2), seen(2.0, 0.12, 0.3)
    assert after.roles["mariadb"].cpu_system_s < before.roles["mariadb"].cpu_system_s
    used = _cpu(before, after, "mariadb", 1.0, 2.0)
    assert used.system_s == 0.0
    assert 0.0099 < used.user_s < 0.0101
    assert used.share >= 0.0


def jmeter_run() -> WatchedLoad:
    """Ten seconds of load, by a program that took three more to start: 2.9 of its CPU seconds."""
    looks = ((100.0, 0.0), (103.0, 2.9), (113.0, 8.9))
    finished = FinishedProgram("", 13.0, cpu_user_s=8.0, cpu_system_s=0.9, looks=looks)
    counts = RequestCounts(offered=100, sent=100, ok=100)
    spent = finished.spent(span=(103.0, 113.0))
    made = LoadResult(elapsed_s=10.0, throughput_rps=10.0, counts=counts, generator=spent)
    cores = CoreUsage(CoreSeconds(9.9, 0.0), CoreSeconds(8.95, 0.0), watched_s=13.0)
    return WatchedLoad(made, cores, EDGES, exactly=False)


def test_a_full_thread_is_full_however_long_the_generator_took_to_start() -> None:
    load = jmeter_run()
    threads = {"server": {7: (0.0, 0.0)}}
    begin, end = (
        Mark(
            t_s=t_s,
            roles={"server": TreeTotals(cpu_user_s=user_s, cpu_system_s=0.0)},
            threads={"server": {7: (user_s, 0.0)}} if user_s else threads,
        )
        for t_s, user_s in ((0.0, 0.0), (13.0, 9.9))
    )
    used = _cpu_by_role(PLAN, load, begin, end)
    assert used["server"].busiest_thread_share == pytest.approx(0.99)
    assert used["server"].share == pytest.approx(0.99)


def test_the_start_of_a_generator_is_no_other_program() -> None:
    load = jmeter_run()
    assert load.result.generator.cpu_seconds == pytest.approx(6.0)
    beside = _on_generators(PLAN, load.cores, load.result.generator)
    assert beside.others == pytest.approx(0.05 / 13)


@pytest.mark.parametrize(
    ("did", "others", "stolen"),
    [
        (CoreSeconds(busy=9.9, stolen=2.0), 0.199, 0.199),
        (CoreSeconds(busy=9.9, stolen=0.5), 0.199, 0.05),
        # A kernel that counts stolen time as the program's.
        (CoreSeconds(busy=8.0, stolen=2.0), 0.009, 0.009),
        # CPUs numbered anew: nothing is known.
        (None, None, None),
    ],
)
def test_what_the_host_took_is_told_apart(
    did: CoreSeconds | None, others: float | None, stolen: float | None
) -> None:
    own = CpuUse(user_s=7.0, system_s=0.91, cores=1.0, share=0.79)
    found = _on_servers(PLAN, CoreUsage(did, None, watched_s=10.0), {"server": own})
    assert (found.others, found.stolen) == (pytest.approx(others), pytest.approx(stolen))


@pytest.mark.parametrize(
    ("pss", "curve"),
    [
        ([None, None, 400, None, None, 410, None], [400, 400, 400, 400, 410, 410]),
        ([400, None, None, 410, None, None, None], [400, 400, 410, 410, 410, 410]),
        ([None] * 7, [640] * 6),
    ],
)
def test_a_curve_of_memory_is_of_one_kind(pss: list[int | None], curve: list[int]) -> None:
    # The kernel adds up the proportional memory for long: it is read at some of the samples only.
    series = [
        TreeSample(t_s=i / 20, cpu_user_s=0, cpu_system_s=0, rss_bytes=640, pss_bytes=held)
        for i, held in enumerate(pss)
    ]
    assert [one.memory_bytes for one in _observations(series, 0.0, 1.0)] == curve


@pytest.mark.parametrize(("quota", "given"), [(None, 2.0), (0.5, 0.5), (3.0, 2.0)])
def test_the_server_is_given_its_quota_where_that_is_less_than_its_cores(
    quota: float | None, given: float
) -> None:
    share = Share(cpus=quota)
    placed = SimpleNamespace(placement=Placement((0, 1), (2,), (2,)), share=share)
    assert TrialPlan.server_cores.fget(placed) == given  # type: ignore[attr-defined]
