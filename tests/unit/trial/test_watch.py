"""When a server is said to have used more CPU time than its cores have."""

from __future__ import annotations

import os
import subprocess

import pytest

from support.synthetic_run import build_run
from webdyno.runtime.confinement.conduct import conduct_of
from webdyno.store.measurement import GeneratorFigures
from webdyno.store.records import Measurement
from webdyno.trial.watching.watch import NOT_RANKED, beyond_its_cores, of_service


@pytest.fixture(scope="module")
def measured() -> Measurement:
    run = build_run(blocks=1, seconds=10, scenarios=("json",))
    found = run.trials[0].measurement
    assert found is not None
    return found


def codes(measured: Measurement, cpu_s: float, watched_s: float, exactly: bool = True) -> list[str]:
    """Of a load of 0.3 s on one core."""
    server = measured.cpu["server"].model_copy(
        update={"user_s": 0.75 * cpu_s, "system_s": 0.25 * cpu_s, "cores": 1.0}
    )
    seen = measured.model_copy(
        update={
            "elapsed_s": 0.3,
            "cpu": {**measured.cpu, "server": server},
            "generator": GeneratorFigures(watched_exactly=exactly, watched_s=watched_s),
        }
    )
    return [flag.code for flag in beyond_its_cores(seen)]


def test_more_than_a_core_has_was_used_elsewhere(measured: Measurement) -> None:
    assert codes(measured, 0.6, 0.301) == ["more-than-its-cores"]
    assert codes(measured, 0.32, 0.301) == []


def test_a_watch_that_ended_late_has_seen_more(measured: Measurement) -> None:
    assert codes(measured, 0.45, 0.46) == []
    assert codes(measured, 0.9, 0.46) == ["more-than-its-cores"]


def test_where_the_load_was_not_watched_exactly_nothing_is_said(measured: Measurement) -> None:
    assert codes(measured, 0.9, 0.301, exactly=False) == []


def test_a_service_that_was_moved_to_more_cores_is_told() -> None:
    cpus = sorted(os.sched_getaffinity(0))
    given = cpus[1:]
    with subprocess.Popen(["sleep", "60"]) as service:
        try:
            os.sched_setaffinity(service.pid, given)
            assert of_service("postgresql", conduct_of([service.pid], given), given) == []
            os.sched_setaffinity(service.pid, cpus)
            (flag,) = of_service("postgresql", conduct_of([service.pid], given), given)
        finally:
            service.kill()
    assert flag.code in NOT_RANKED
    assert flag.message.startswith(f"threads of postgresql may run on CPU {cpus[0]}, but it was")
