"""One agent that cannot be believed voids the load, by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from webdyno.cluster.link.clock import Clock
from webdyno.cluster.merging.validity import faults_of
from webdyno.cluster.orders.answers import Hindered
from webdyno.generators.result import LoadResult

CLOCK = Clock(12.0, 0.0, 0.001, 1e-4, 2e-4, 100)


def result(**changes: Any) -> LoadResult:
    generator = {"threads": 2, "cpu_seconds": 1.0, "late_own": 0, **changes.pop("generator", {})}
    counts = {"sent": 10_000, "client_limit": 0, **changes.pop("counts", {})}
    base = {"start_late_us": 100.0, "elapsed_s": 10.0, "throughput_rps": 1_000.0}
    said = {**base, "generator": generator, "counts": counts, **changes}
    return LoadResult.model_validate(said)


def kinds(found: LoadResult, cores: int = 2, after: Clock = CLOCK) -> list[str]:
    faults = faults_of("10.0.0.2", found, cores, (CLOCK, after))
    assert all(fault.message.startswith("10.0.0.2 ") for fault in faults)
    return [fault.kind for fault in faults]


def test_a_good_part_has_no_fault() -> None:
    assert kinds(result()) == []


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"start_late_us": 25_000.0}, "late"),
        ({"generator": {"cpu_seconds": 19.0}}, "limited"),
        ({"generator": {"late_own": 101}}, "late"),
        ({"counts": {"client_limit": 1}}, "limited"),
    ],
)
def test_each_fault_is_told(changes: dict[str, Any], kind: str) -> None:
    assert kinds(result(**changes)) == [kind]


def test_an_agent_is_full_by_the_cores_that_it_has() -> None:
    busy = {"generator": {"threads": 4, "cpu_seconds": 9.5}}
    assert kinds(result(**busy), cores=4) == []
    assert kinds(result(**busy), cores=1) == ["limited"]
    assert kinds(result(**busy, elapsed_s=0.1), cores=1) == []


def test_a_clock_that_moved_under_the_load_is_told() -> None:
    assert kinds(result(), after=replace(CLOCK, offset_s=12.0069)) == []
    assert kinds(result(), after=replace(CLOCK, offset_s=12.0071)) == ["late"]


@pytest.mark.parametrize(("late_s", "kind"), [([0.004] * 100, []), ([0.0] * 99 + [0.6], ["late"])])
def test_turns_that_began_late_are_told(late_s: list[float], kind: list[str]) -> None:
    faults = faults_of("10.0.0.2", result(), 2, (CLOCK, CLOCK), late_s)
    assert [fault.kind for fault in faults] == kind
    assert all("began its turns late, by 6.0% of their length" in one.message for one in faults)


@pytest.mark.parametrize(
    ("hindered", "told"),
    [
        ({"paused_share": 0.4}, "was paused by a quota of CPU time in 40% of its periods"),
        ({"paused_share": 0.05}, ""),
        # Of two cores it used 0.8 each; of all that ran, 16 s, the host took 4 s.
        ({"busy_s": 20.0, "stolen_s": 4.0}, "used 80% of its cores, and its host took 20% (steal)"),
        # Others there lost most of it.
        ({"busy_s": 640.0, "stolen_s": 4.0}, ""),
        ({"busy_s": 16.4, "stolen_s": 0.4}, ""),
        ({}, ""),
    ],
)
def test_what_keeps_a_machine_from_its_part_voids_it(hindered: dict[str, float], told: str) -> None:
    made = result(generator={"threads": 2, "cpu_seconds": 16.0})
    faults = faults_of("10.0.0.2", made, 2, (CLOCK, CLOCK), (), Hindered(**hindered))
    assert [fault.kind for fault in faults] == ["limited"] * bool(told)
    assert all(told in fault.message for fault in faults)
    short = made.model_copy(update={"elapsed_s": 0.1})
    assert faults_of("10.0.0.2", short, 2, (CLOCK, CLOCK), (), Hindered(**hindered)) == []
