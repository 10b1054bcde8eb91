"""A busy machine is told where two running services are compared."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from webdyno.ab.running.bystanders import Bystanders
from webdyno.runtime.machine.core_seconds import CoreSeconds

pytestmark = pytest.mark.slow


def watched(seconds: float, *services: int | None) -> str:
    bystanders = Bystanders(services)
    bystanders.begin()
    time.sleep(seconds)
    bystanders.end()
    return bystanders.caution()


def test_programs_that_take_part_are_none_and_others_are_told() -> None:
    spins = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(spins) for _ in os.sched_getaffinity(0)]
    try:
        time.sleep(0.3)
        assert "other programs used " in watched(0.5, os.getpid())
        assert watched(0.5, os.getpid(), None) == ""
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_the_services_own_time_is_not_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "webdyno.ab.running.bystanders.core_seconds",
        lambda _cpus, **_options: CoreSeconds(time.process_time(), 0.0),
    )
    bystanders = Bystanders([os.getpid()])
    bystanders.begin()
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
    bystanders.end()
    assert bystanders.caution() == ""


@pytest.mark.parametrize(
    ("steal", "told"),
    [
        # All cores idle but for what the host takes.
        ({"busy": 1.0, "stolen": 1.0}, "the host took 50% of the CPUs (steal) meanwhile"),
        ({"busy": 1.0, "stolen": 0.0}, "other programs used 50% of the CPUs meanwhile"),
        ({"busy": 0.1, "stolen": 0.1}, ""),
        (None, ""),
    ],
)
def test_what_the_host_takes_is_no_other_programs(
    monkeypatch: pytest.MonkeyPatch, steal: dict[str, float] | None, told: str
) -> None:
    looks = iter([CoreSeconds(0.0, 0.0), CoreSeconds(**steal)] if steal else [None, None])
    clock = iter([0.0, 1.0])
    module = "webdyno.ab.running.bystanders"
    monkeypatch.setattr(f"{module}.core_seconds", lambda _cpus, **_options: next(looks))
    monkeypatch.setattr(f"{module}.os.sched_getaffinity", lambda _pid: {0, 1})
    monkeypatch.setattr(
        f"{module}.time", SimpleNamespace(process_time=lambda: 0.0, monotonic=lambda: next(clock))
    )
    bystanders = Bystanders([os.getpid()])
    bystanders.begin()
    bystanders.end()
    assert bystanders.caution().startswith(told)
    assert bool(bystanders.caution()) == bool(told)
